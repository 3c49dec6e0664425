import { Module } from '@nestjs/common';
import { ClosingMetrics } from './closing-metrics.js';
import { ClosureRows } from './closure-rows.js';
import { ClosingController } from './http/closing.controller.js';
import { GetAccountClosingHandler } from './reads/get-account-closing.js';
import { GetAccountClosureHandler } from './reads/get-account-closure.js';
import { GetClosingReceiptHandler } from './reads/get-closing-receipt.js';
import { CloseAccountHandler } from './use-cases/close-account.js';
import { ClosingWorker } from './workers/closing-worker.js';
import { StepPerformer } from './workers/perform-step.js';
import { ClosingReconciler } from './workers/reconcile-closings.js';

/** Closing an account: erasure across all contexts, and its proof. */
@Module({
  controllers: [ClosingController],
  providers: [
    ClosureRows,
    ClosingMetrics,
    StepPerformer,
    ClosingWorker,
    ClosingReconciler,
    CloseAccountHandler,
    GetAccountClosingHandler,
    GetAccountClosureHandler,
    GetClosingReceiptHandler,
  ],
})
export class ClosingModule {}
