/**
 * The credit ledger for other contexts: send these commands and queries over the buses. Every command is idempotent by
 * its business id: a repeat changes nothing and returns the first answer with today's balances.
 */
export { AdjustCredits } from './use-cases/adjust-credits.js';
export { DeductCredits, type DeductCreditsResult } from './use-cases/deduct-credits.js';
export { GrantBonusCredits } from './use-cases/grant-bonus-credits.js';
export { GrantDailyCredits } from './use-cases/grant-daily-credits.js';
export { OpenAccount } from './use-cases/open-account.js';
export { PurchaseCredits } from './use-cases/purchase-credits.js';
export { RefundDeduction, type RefundDeductionResult } from './use-cases/refund-deduction.js';
export { ReinstatePurchase } from './use-cases/reinstate-purchase.js';
export { ReversePurchase } from './use-cases/reverse-purchase.js';
export { SettleDeduction } from './use-cases/settle-deduction.js';
export { WaiveCredits } from './use-cases/waive-credits.js';
export { CanAfford } from './reads/can-afford.js';
export { GetCreditBreakdown } from './reads/get-credit-breakdown.js';
export { GetDeductionStatus } from './reads/get-deduction-status.js';
export { GetPurchase, type PurchaseStatus } from './reads/get-purchase.js';
export { GetUnspentPurchases } from './reads/get-unspent-purchases.js';
export { GetAccountForAdmins } from './reads/get-account-for-admins.js';
export { ListAccountHistory } from './reads/list-account-history.js';
export { ListProposals, type ListedProposalRow } from './reads/list-proposals.js';
export { ListUnerasedProposals } from './reads/list-unerased-proposals.js';
export { EraseProposals } from './use-cases/erase-proposals.js';
export { DecideCreditProposal } from './use-cases/decide-credit-proposal.js';
export { ProposeCredits, type CreditProposalRow } from './use-cases/propose-credits.js';
export { ListHoldersOfPaidCredits } from './reads/list-holders-of-paid-credits.js';
export {
  AccountDeletedError,
  DeductionRefusedError,
  InsufficientCreditsError,
  OwnAccountError,
  PurchaseRefusedError,
  accountError,
} from './account/errors.js';
/** For acts that were interrupted: what their events changed. */
export { balancesAround } from './reads/balances-around.js';
/** For the dashboard of admins. */
export { creditsHeldAt } from './reads/credits-held.js';
export type { Balances, CreditTypeUsed } from './account/state.js';
/** The events of accounts, for projections of other contexts. `docs/events.md` is the catalogue. */
export {
  ACCOUNT_STREAM_PREFIX,
  accountStream,
  GRANT_LOT_PREFIX,
  readCreditEvent,
  SEARCHED_FIELDS,
  userOfStream,
  type Allocation,
  type CreditEvent,
  type CreditKind,
  type RefundReason,
} from './account/events.js';
/** For the events of other contexts, whose shapes have versions too. */
export { eventReader, type Upcasters } from './account/upcast.js';
/** Decisions of the operator on which events of accounts depend, as events of their own stream. */
export {
  FROM_THE_BEGINNING,
  POLICY_STREAM,
  readPolicyEvent,
  type HistoryImported,
  type PolicyEvent,
} from './policy/events.js';
export { currentPrice, type Policy } from './policy/policy.js';
export { PolicyStore, readPolicy } from './policy/policy-store.js';
export { priceBundles, type NewBundlePrice } from './policy/decide.js';
/** For the audit, which applies the same age limit to deduction ids. */
export { closedUntil, isClosed } from './account/state.js';
/** For the command line, which rebuilds the projection, and for the audit, which recomputes its rows. */
export {
  accountProjection,
  balanceAfter,
  emptyBalance,
  transactionOf,
  type BalanceRow,
  type TransactionRow,
} from './reads/account-projection.js';
