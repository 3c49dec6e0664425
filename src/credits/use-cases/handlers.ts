import { AdjustCreditsHandler } from './adjust-credits.js';
import { DecideCreditProposalHandler } from './decide-credit-proposal.js';
import { DeductCreditsHandler } from './deduct-credits.js';
import { EraseProposalsHandler } from './erase-proposals.js';
import { GrantBonusCreditsHandler } from './grant-bonus-credits.js';
import { GrantDailyCreditsHandler } from './grant-daily-credits.js';
import { OpenAccountHandler } from './open-account.js';
import { ProposeCreditsHandler } from './propose-credits.js';
import { PurchaseCreditsHandler } from './purchase-credits.js';
import { RefundDeductionHandler } from './refund-deduction.js';
import { ReinstatePurchaseHandler } from './reinstate-purchase.js';
import { RepairAccountClockHandler } from './repair-account-clock.js';
import { ReversePurchaseHandler } from './reverse-purchase.js';
import { SettleDeductionHandler } from './settle-deduction.js';
import { WaiveCreditsHandler } from './waive-credits.js';

export const USE_CASES = [
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
  ProposeCreditsHandler,
  EraseProposalsHandler,
  DecideCreditProposalHandler,
];
