import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { FinanceController } from './http/finance.controller.js';
import { CreatorPayoutsController } from './http/creator-payouts.controller.js';
import { PayoutsController } from './http/payouts.controller.js';
import { ReconciliationController } from './http/reconciliation.controller.js';
import { booksProjection } from './reads/books-projection.js';
import { payoutsProjection } from './reads/payouts-projection.js';
import { processorProjection } from './reads/processor-projection.js';
import { NoteLogReachHandler } from './closing/log-reach.js';
import { MonthClosing } from './closing/month-closing.js';
import { PayoutStore } from './payouts/payout-store.js';
import { ProcessorStore } from './processor/processor-store.js';
import { EarningStore } from './earnings/earning-store.js';
import { ReconciliationRuns } from './processor/reconciliation-runs.js';
import { EarningPoster } from './workers/earning-poster.js';
import { LedgerComparison } from './workers/ledger-comparison.js';
import { MonthCloser } from './workers/month-closer.js';
import { PayoutRunner } from './workers/payout-runner.js';
import { PayoutSchedule } from './workers/payout-schedule.js';
import { ProcessorReader } from './workers/processor-reader.js';
import * as useCases from './use-cases/handlers.js';
import * as reads from './reads/handlers.js';

/** The books, a double-entry journal as a projection of the events, and the earnings and payouts of creators. */
@Module({
  controllers: [FinanceController, PayoutsController, CreatorPayoutsController, ReconciliationController],
  providers: [
    EarningStore,
    MonthClosing,
    NoteLogReachHandler,
    PayoutStore,
    ProcessorStore,
    ReconciliationRuns,
    EarningPoster,
    MonthCloser,
    PayoutRunner,
    PayoutSchedule,
    LedgerComparison,
    ProcessorReader,
    ...Object.values(useCases),
    ...Object.values(reads),
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
