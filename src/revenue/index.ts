/** What other contexts may use of revenue: its queries through `QueryBus`, and its fold to check its rows with. */
export * from './queries.js';
export { revenueOf } from './account-revenue.js';
export { monthsOf, revenueProjection } from './revenue-projection.js';
export type { EarningRow } from './tables.js';
