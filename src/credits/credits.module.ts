import { Global, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config.js';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { CREDIT_SETTINGS, type CreditSettings } from './account/constants.js';
import { AdminCreditsController } from './http/admin-credits.controller.js';
import { CreditsController } from './http/credits.controller.js';
import { AccountSnapshots } from './ledger/account-snapshots.js';
import { AdminGrantLimit } from './ledger/admin-grant-limit.js';
import { AccountStore } from './ledger/account-store.js';
import { CreditActs } from './ledger/credit-acts.js';
import { adoptRevenueRule, adoptSettings } from './policy/decide.js';
import { PolicyStore } from './policy/policy-store.js';
import { SignUpBonus } from './ledger/sign-up-bonus.js';
import { accountProjection } from './reads/account-projection.js';
import { CreditProposals } from './workers/credit-proposals.js';
import * as useCases from './use-cases/handlers.js';
import * as reads from './reads/handlers.js';

/** The credit ledger. Other contexts reach it by commands, queries and the policy only. */
@Global()
@Module({
  controllers: [CreditsController, AdminCreditsController],
  providers: [
    AccountSnapshots,
    AccountStore,
    PolicyStore,
    AdminGrantLimit,
    CreditActs,
    SignUpBonus,
    CreditProposals,
    { provide: CREDIT_SETTINGS, inject: [CONFIG], useFactory: ({ credits }: Config): CreditSettings => credits },
    ...Object.values(useCases),
    ...Object.values(reads),
  ],
  exports: [PolicyStore],
})
export class CreditsModule implements OnModuleInit {
  constructor(
    private readonly projections: ProjectionRunner,
    private readonly policy: PolicyStore,
    @Inject(CREDIT_SETTINGS) private readonly settings: CreditSettings,
  ) {}

  async onModuleInit(): Promise<void> {
    this.projections.register(accountProjection);
    await this.policy.change('system', (policy, moment) => [
      ...adoptRevenueRule(policy, moment),
      ...adoptSettings(policy, moment, this.settings),
    ]);
  }
}
