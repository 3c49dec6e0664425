// Each export is a provider of the module: export nothing else here.
export { AdjustCreditsHandler } from './adjust-credits.js';
export { DecideCreditProposalHandler } from './decide-credit-proposal.js';
export { DeductCreditsHandler } from './deduct-credits.js';
export { EraseProposalsHandler } from './erase-proposals.js';
export { GrantBonusCreditsHandler } from './grant-bonus-credits.js';
export { GrantDailyCreditsHandler } from './grant-daily-credits.js';
export { OpenAccountHandler } from './open-account.js';
export { ProposeCreditsHandler } from './propose-credits.js';
export { PurchaseCreditsHandler } from './purchase-credits.js';
export { RefundDeductionHandler } from './refund-deduction.js';
export { ReinstatePurchaseHandler } from './reinstate-purchase.js';
export { RepairAccountClockHandler } from './repair-account-clock.js';
export { ReversePurchaseHandler } from './reverse-purchase.js';
export { SettleDeductionHandler } from './settle-deduction.js';
export { WaiveCreditsHandler } from './waive-credits.js';
