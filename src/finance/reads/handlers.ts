// Each export is a provider of the module: export nothing else here.
export { GetBankReportHandler } from './bank-report.js';
export { GetEventEntriesHandler, ListBookEntriesHandler } from './book-entries.js';
export { ExportBooksHandler } from './book-files.js';
export { GetCreatorDashboardHandler } from './creator-dashboard.js';
export { ListCreatorLiabilitiesHandler } from './creator-liabilities.js';
export { ListCreatorPayoutsHandler } from './creator-payouts.js';
export { CountOpenDifferencesHandler, ListDifferencesHandler } from './differences.js';
export { GetMonthClosingHandler } from './month-closing-figures.js';
export { ListPayoutFilesHandler } from './payout-files.js';
export { ListPayoutRunCreatorsHandler } from './payout-run-creators.js';
export { GetPayoutRunHandler, ListPayoutRunsHandler } from './payout-runs.js';
export { ExportPayoutStatementHandler } from './payout-statement-file.js';
export { GetPayoutStatementHandler, ListPayoutStatementsHandler } from './payout-statements.js';
export { GetReconciliationHandler } from './reconciliation.js';
export { GetDeferredRevenueHandler, ListRevenueMonthsHandler } from './revenue-months.js';
export { GetTrialBalanceHandler } from './trial-balance.js';
