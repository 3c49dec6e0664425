/** What other contexts may use of revenue: its queries through `QueryBus`, its fold and its projection. */
export * from './reads/queries.js';
export { revenueOf } from './account-revenue.js';
export { monthsOf, revenueProjection } from './reads/revenue-projection.js';
export type { EarningRow } from './tables.js';
