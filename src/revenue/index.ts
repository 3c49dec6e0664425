/** Revenue for other contexts: send the queries over the `QueryBus`. */
export { GetCreatorAnalytics, GetCreatorHistory } from './reads/get-creator-analytics.js';
export { GetImageEarning } from './reads/get-image-earning.js';
export { GetCreatorStatement } from './reads/get-creator-statement.js';
export { HasEarnings } from './reads/has-earnings.js';
export { ExportCreatorEarnings, ListCreatorEarnings } from './reads/list-creator-earnings.js';
/** For the admins' sums over all creators. */
export { addMonths, monthName, monthOf, startOfMonth } from './months.js';
/** The pure fold and the projections, for the composition. */
export { AccountRevenue, type LedgerEvent, type RevenueRules, timeOf } from './account-revenue.js';
export { postingsOf } from './reads/postings.js';
export { monthsOf, policyRules, REVENUE_PROJECTION, revenueProjection } from './reads/revenue-projection.js';
export { ACTIVITY_PROJECTION, activityProjection } from './reads/activity-projection.js';
export { type EarningRow, type RevenuePurchaseTable } from './tables.js';
