import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { FinanceController } from './http/finance.controller.js';
import { CreatorDashboardController } from './http/creator-dashboard.controller.js';
import { PayoutStatementsController } from './http/payout-statements.controller.js';
import { PayoutsController } from './http/payouts.controller.js';
import { ReconciliationController } from './http/reconciliation.controller.js';
import { GetEventEntriesHandler, ListBookEntriesHandler } from './reads/book-entries.js';
import { ExportBooksHandler } from './reads/book-files.js';
import { booksProjection } from './reads/books-projection.js';
import { GetCreatorDashboardHandler } from './reads/creator-dashboard.js';
import { ListCreatorLiabilitiesHandler } from './reads/creator-liabilities.js';
import { GetDeferredRevenueHandler } from './reads/deferred-revenue.js';
import { CountOpenDifferencesHandler, ListDifferencesHandler } from './reads/differences.js';
import { payoutsProjection } from './reads/payouts-projection.js';
import { processorProjection } from './reads/processor-projection.js';
import { NoteLogReachHandler } from './closing/log-reach.js';
import { MonthClosing } from './closing/month-closing.js';
import { GetMonthClosingHandler } from './reads/month-closing-figures.js';
import { CloseBookMonthHandler } from './use-cases/close-book-month.js';
import { GetBankReportHandler } from './reads/bank-report.js';
import { ListCreatorPayoutsHandler } from './reads/creator-payouts.js';
import { ListPayoutFilesHandler } from './reads/payout-files.js';
import { ListPayoutRunCreatorsHandler } from './reads/payout-run-creators.js';
import { GetPayoutStatementHandler } from './reads/payout-statement.js';
import { ExportPayoutStatementHandler } from './reads/payout-statement-file.js';
import { ListPayoutStatementsHandler } from './reads/payout-statements.js';
import { GetPayoutRunHandler, ListPayoutRunsHandler } from './reads/payout-runs.js';
import { GetReconciliationHandler } from './reads/reconciliation.js';
import { ListRevenueMonthsHandler } from './reads/revenue-months.js';
import { GetTrialBalanceHandler } from './reads/trial-balance.js';
import { PayoutStore } from './payouts/payout-store.js';
import { AdvancePayoutRunHandler } from './use-cases/advance-payout-run.js';
import { EndPayoutHandler, HoldPayoutsHandler, ReleasePayoutsHandler } from './use-cases/change-payout.js';
import { DraftPayoutRunHandler } from './use-cases/draft-payout-run.js';
import { DownloadPayoutFileHandler } from './use-cases/download-payout-file.js';
import { MakePayoutFileHandler } from './use-cases/make-payout-file.js';
import { RecordTransfersHandler } from './use-cases/record-transfers.js';
import { RunReconciliationHandler } from './use-cases/run-reconciliation.js';
import { TakeBackPayoutFileHandler } from './use-cases/take-back-payout-file.js';
import { ProcessorStore } from './processor/processor-store.js';
import { EarningStore } from './earnings/earning-store.js';
import { EarningPoster } from './workers/earning-poster.js';
import { ReconciliationRuns } from './processor/reconciliation-runs.js';
import { LedgerComparison } from './workers/ledger-comparison.js';
import { ProcessorReader } from './workers/processor-reader.js';
import { MonthCloser } from './workers/month-closer.js';
import { PayoutRunner } from './workers/payout-runner.js';
import { PayoutSchedule } from './workers/payout-schedule.js';

/** The books, a double-entry journal as a projection of the events, and the earnings and payouts of creators. */
@Module({
  controllers: [
    FinanceController,
    PayoutsController,
    PayoutStatementsController,
    CreatorDashboardController,
    ReconciliationController,
  ],
  providers: [
    CloseBookMonthHandler,
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
    AdvancePayoutRunHandler,
    DraftPayoutRunHandler,
    EndPayoutHandler,
    HoldPayoutsHandler,
    ReleasePayoutsHandler,
    DownloadPayoutFileHandler,
    EarningPoster,
    EarningStore,
    MakePayoutFileHandler,
    MonthCloser,
    MonthClosing,
    NoteLogReachHandler,
    PayoutRunner,
    PayoutSchedule,
    PayoutStore,
    LedgerComparison,
    ProcessorReader,
    ProcessorStore,
    ReconciliationRuns,
    RunReconciliationHandler,
    RecordTransfersHandler,
    TakeBackPayoutFileHandler,
  ],
})
export class FinanceModule implements OnModuleInit {
  /** Without the workers of the present: the stream of the processor has no past, and the past has runs of its own. */
  static withoutSchedules(): DynamicModule {
    const none = [ProcessorReader, PayoutSchedule].map((provide) => ({ provide, useValue: null }));
    return { module: FinanceModule, providers: none };
  }

  constructor(private readonly projections: ProjectionRunner) {}

  onModuleInit(): void {
    this.projections.register(booksProjection);
    this.projections.register(payoutsProjection);
    this.projections.register(processorProjection);
  }
}
