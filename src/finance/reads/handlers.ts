import { GetBankReportHandler } from './bank-report.js';
import { GetEventEntriesHandler, ListBookEntriesHandler } from './book-entries.js';
import { ExportBooksHandler } from './book-files.js';
import { GetCreatorDashboardHandler } from './creator-dashboard.js';
import { ListCreatorLiabilitiesHandler } from './creator-liabilities.js';
import { ListCreatorPayoutsHandler } from './creator-payouts.js';
import { CountOpenDifferencesHandler, ListDifferencesHandler } from './differences.js';
import { GetMonthClosingHandler } from './month-closing-figures.js';
import { ListPayoutFilesHandler } from './payout-files.js';
import { ListPayoutRunCreatorsHandler } from './payout-run-creators.js';
import { GetPayoutRunHandler, ListPayoutRunsHandler } from './payout-runs.js';
import { ExportPayoutStatementHandler } from './payout-statement-file.js';
import { GetPayoutStatementHandler, ListPayoutStatementsHandler } from './payout-statements.js';
import { GetReconciliationHandler } from './reconciliation.js';
import { GetDeferredRevenueHandler, ListRevenueMonthsHandler } from './revenue-months.js';
import { GetTrialBalanceHandler } from './trial-balance.js';

export const READS = [
  CountOpenDifferencesHandler,
  ExportBooksHandler,
  GetCreatorDashboardHandler,
  GetDeferredRevenueHandler,
  GetReconciliationHandler,
  ListDifferencesHandler,
  GetEventEntriesHandler,
  GetMonthClosingHandler,
  GetTrialBalanceHandler,
  ListBookEntriesHandler,
  ListCreatorLiabilitiesHandler,
  ListRevenueMonthsHandler,
  ExportPayoutStatementHandler,
  GetBankReportHandler,
  GetPayoutStatementHandler,
  GetPayoutRunHandler,
  ListCreatorPayoutsHandler,
  ListPayoutFilesHandler,
  ListPayoutRunCreatorsHandler,
  ListPayoutRunsHandler,
  ListPayoutStatementsHandler,
];
