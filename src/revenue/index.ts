/** What others may use of revenue: its queries through `QueryBus`, and for the audit of the ledger its fold and what checks its rows. */
export * from './queries.js';
export { revenueOf } from './account-revenue.js';
export { monthsOf, revenueProjection } from './revenue-projection.js';
export { RevenueCheck } from './revenue-check.js';
export type { EarningRow } from './tables.js';
