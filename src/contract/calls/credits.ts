import {
  type ClockRepairResponse,
  type CreditBreakdown,
  type CreditCorrectionResponse,
  type CreditTransaction,
  type DailyGrantResponse,
} from '../credits.js';
import { MAX_AMOUNT } from '../limits.js';
import { type Count, type Credits, type NoParameters } from '../scalars.js';
import { IsId, IsReason, IsWhole, Optional } from './fields.js';
import { UserById } from './shared.js';

/** Keeps offsets within the range of Postgres. */
const LAST_PAGE = 1_000_000;

export class TransactionsRequest {
  /** Default 10. */
  @Optional(IsWhole(1, 100))
  page_size?: Count;

  /** From 1, the default. */
  @Optional(IsWhole(1, LAST_PAGE))
  page_number?: Count;
}

export class ClockRepairRequest extends UserById {
  /** Stored permanently: must not name a person. */
  @IsReason()
  p_reason!: string;
}

class CreditCorrection extends ClockRepairRequest {
  @IsWhole(1, MAX_AMOUNT)
  p_amount!: Credits;
}

export class BonusGrantRequest extends CreditCorrection {
  /** Chosen by the caller. A repeated id of the same user is the same grant. */
  @IsId()
  p_grant_id!: string;
}

export class CreditAdjustmentRequest extends CreditCorrection {
  /** Chosen by the caller. A repeated id of the same user is the same adjustment. */
  @IsId()
  p_adjustment_id!: string;
}

export interface CreditCalls {
  /** The caller's balance by kind of credit. Opens the account when the user is first seen. */
  get_user_credit_breakdown: { request: NoParameters; response: CreditBreakdown };
  /** Grants today's credits, once a UTC day. */
  grant_daily_credits_by_jwt: { request: NoParameters; response: DailyGrantResponse };
  /** A page of the caller's transactions, newest first. */
  get_user_transactions_by_jwt: { request: TransactionsRequest; response: CreditTransaction[] };
  /** Number of the caller's transactions. */
  count_user_transactions_by_jwt: { request: NoParameters; response: Count };
  /** Gives bonus credits to a user. */
  grant_bonus_credits: { request: BonusGrantRequest; response: CreditCorrectionResponse };
  /** Takes credits from a user: daily ones first, then bonus, then paid. */
  adjust_credits: { request: CreditAdjustmentRequest; response: CreditCorrectionResponse };
  /** Sets the time of an account back to now, after a clock that was ahead had dated its events into the future. */
  repair_account_clock: { request: ClockRepairRequest; response: ClockRepairResponse };
}
