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
import { GetAccountForAdminsHandler } from './reads/get-account-for-admins.js';
import { ListAccountHistoryHandler } from './reads/list-account-history.js';
import { ListProposalsHandler } from './reads/list-proposals.js';
import { ListUnerasedProposalsHandler } from './reads/list-unerased-proposals.js';
import { CountTransactionsHandler } from './reads/count-transactions.js';
import { GetCreditBreakdownHandler } from './reads/get-credit-breakdown.js';
import { CanAffordHandler } from './reads/can-afford.js';
import { GetDeductionStatusHandler } from './reads/get-deduction-status.js';
import { GetPurchaseHandler } from './reads/get-purchase.js';
import { GetUnspentPurchasesHandler } from './reads/get-unspent-purchases.js';
import { ListHoldersOfPaidCreditsHandler } from './reads/list-holders-of-paid-credits.js';
import { GetTransactionsHandler } from './reads/get-transactions.js';
import { AdjustCreditsHandler } from './use-cases/adjust-credits.js';
import { DecideCreditProposalHandler } from './use-cases/decide-credit-proposal.js';
import { ProposeCreditsHandler } from './use-cases/propose-credits.js';
import { CreditProposals } from './workers/credit-proposals.js';
import { DeductCreditsHandler } from './use-cases/deduct-credits.js';
import { EraseProposalsHandler } from './use-cases/erase-proposals.js';
import { GrantBonusCreditsHandler } from './use-cases/grant-bonus-credits.js';
import { GrantDailyCreditsHandler } from './use-cases/grant-daily-credits.js';
import { OpenAccountHandler } from './use-cases/open-account.js';
import { PurchaseCreditsHandler } from './use-cases/purchase-credits.js';
import { RepairAccountClockHandler } from './use-cases/repair-account-clock.js';
import { RefundDeductionHandler } from './use-cases/refund-deduction.js';
import { ReinstatePurchaseHandler } from './use-cases/reinstate-purchase.js';
import { ReversePurchaseHandler } from './use-cases/reverse-purchase.js';
import { SettleDeductionHandler } from './use-cases/settle-deduction.js';
import { WaiveCreditsHandler } from './use-cases/waive-credits.js';

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
    OpenAccountHandler,
    GrantDailyCreditsHandler,
    GrantBonusCreditsHandler,
    AdjustCreditsHandler,
    RepairAccountClockHandler,
    DeductCreditsHandler,
    SettleDeductionHandler,
    RefundDeductionHandler,
    PurchaseCreditsHandler,
    ReversePurchaseHandler,
    ReinstatePurchaseHandler,
    WaiveCreditsHandler,
    GetCreditBreakdownHandler,
    GetTransactionsHandler,
    CountTransactionsHandler,
    CanAffordHandler,
    GetDeductionStatusHandler,
    GetPurchaseHandler,
    GetUnspentPurchasesHandler,
    ListHoldersOfPaidCreditsHandler,
    GetAccountForAdminsHandler,
    ListAccountHistoryHandler,
    ListProposalsHandler,
    ListUnerasedProposalsHandler,
    ProposeCreditsHandler,
    EraseProposalsHandler,
    DecideCreditProposalHandler,
    CreditProposals,
    { provide: CREDIT_SETTINGS, inject: [CONFIG], useFactory: ({ credits }: Config): CreditSettings => credits },
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
