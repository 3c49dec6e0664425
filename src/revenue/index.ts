/** Revenue for other contexts: send the query over the `QueryBus`. */
export { GetCreatorRevenue } from './reads/get-creator-revenue.js';
/** The pure fold and the projection, for the composition. */
export { AccountRevenue, revenueOf, type RevenueRules } from './account-revenue.js';
export { MonthSums, monthsOf, policyRules, REVENUE_PROJECTION, revenueProjection } from './reads/revenue-projection.js';
export type { EarningRow, RevenuePurchaseTable } from './tables.js';
