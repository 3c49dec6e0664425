import { Module, type OnModuleInit } from '@nestjs/common';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { AdminCreditsController } from './http/admin-credits.controller.js';
import { accountProjection } from './reads/account-projection.js';
import { AccountReads } from './reads/account-reads.js';
import { AccountSnapshots } from './ledger/account-snapshots.js';
import { AccountStore } from './ledger/account-store.js';
import { COMMAND_HANDLERS } from './use-cases/command-handlers.js';
import { CREDIT_SETTINGS, DEFAULT_CREDIT_SETTINGS } from './account/constants.js';
import { CreditsController } from './http/credits.controller.js';
import { GetDeductionStatusHandler } from './reads/get-deduction-status.js';
import { GetPurchaseHandler } from './reads/get-purchase.js';
import { PURCHASE_HANDLERS } from './use-cases/purchase-handlers.js';

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
