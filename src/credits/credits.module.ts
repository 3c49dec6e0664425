import { Module, type OnModuleInit } from '@nestjs/common';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { AdminCreditsController } from './admin-credits.controller.js';
import { accountProjection } from './account-projection.js';
import { AccountReads } from './account-reads.js';
import { AccountSnapshots } from './account-snapshots.js';
import { AccountStore } from './account-store.js';
import { COMMAND_HANDLERS } from './command-handlers.js';
import { CREDIT_SETTINGS, DEFAULT_CREDIT_SETTINGS } from './constants.js';
import { CreditsController } from './credits.controller.js';
import { GetDeductionStatusHandler } from './get-deduction-status.js';
import { GetPurchaseHandler } from './get-purchase.js';
import { PURCHASE_HANDLERS } from './purchase-handlers.js';

/** The credit ledger. Reached by its commands and queries alone. */
@Module({
  controllers: [CreditsController, AdminCreditsController],
  providers: [
    AccountSnapshots,
    AccountStore,
    AccountReads,
    ...COMMAND_HANDLERS,
    ...PURCHASE_HANDLERS,
    GetDeductionStatusHandler,
    GetPurchaseHandler,
    { provide: CREDIT_SETTINGS, useValue: DEFAULT_CREDIT_SETTINGS },
  ],
})
export class CreditsModule implements OnModuleInit {
  constructor(private readonly projections: ProjectionRunner) {}

  onModuleInit(): void {
    this.projections.register(accountProjection);
  }
}
