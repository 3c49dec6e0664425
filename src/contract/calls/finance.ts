import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsInt, Matches, Max, Min } from 'class-validator';
import {
  type BookEntries,
  type BookEntry,
  type CreatorLiabilities,
  type DeferredRevenue,
  type MonthClose,
  type MonthClosing,
  type RevenueMonths,
  type TrialBalance,
} from '../finance.js';
import { FIGURES } from '../formats.js';
import { MOST_ENTRY_ACCOUNTS } from '../limits.js';
import { type Count, type Instant, type NoParameters } from '../scalars.js';
import { INSTANT_LENGTH, IsCreatorId, IsMonth, IsText, IsWhole, MAX_INTEGER, Optional } from './fields.js';

/** The id of a user in an event. The database refuses zero characters in texts. */
const USER_ID = /^[^\0]{1,200}$/;

export class TrialBalanceRequest {
  @Optional(IsText(INSTANT_LENGTH))
  p_at?: Instant;
}

export class RevenueMonthsRequest {
  @Optional(IsWhole(1, 120))
  p_limit?: Count;

  @Optional(IsMonth())
  p_before?: string;
}

export class DeferredRevenueRequest {
  @Optional(IsMonth())
  p_month?: string;
}

export class LiabilitiesRequest {
  @Optional(IsText(INSTANT_LENGTH))
  p_at?: Instant;

  @Optional(IsWhole(1, 200))
  p_limit?: Count;

  @Optional(IsCreatorId())
  p_after?: string;
}

export class BookEntriesRequest {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_ENTRY_ACCOUNTS)
  @ArrayUnique()
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(9999, { each: true })
  p_accounts!: Count[];

  @IsText(INSTANT_LENGTH)
  p_from!: Instant;

  @IsText(INSTANT_LENGTH)
  p_to!: Instant;

  /** For accounts 1100, 2100, 2130 and 2140 only: entries of the creator's share and payouts. */
  @Optional(IsCreatorId())
  p_creator_id?: string;

  /** For customer credits (2000) only, and periods of whole months: entries of what was bought in this month. */
  @Optional(IsMonth())
  p_bought_month?: string;

  @Optional(IsWhole(1, 500))
  p_limit?: Count;

  @Optional(IsText(300))
  p_after?: string;
}

export class EventEntriesRequest {
  @Matches(USER_ID, { message: 'p_user_id must be the id of a user' })
  p_user_id!: string;

  @IsWhole(0, MAX_INTEGER)
  p_version!: Count;
}

export class CloseMonthRequest {
  @IsMonth()
  p_month!: string;

  @Matches(FIGURES, { message: 'p_figures must be the figures of get_month_closing' })
  p_figures!: string;
}

export interface FinanceCalls {
  /** The balance of every account. `p_at`: now by default. */
  get_trial_balance: { request: TrialBalanceRequest; response: TrialBalance };
  /** A page of months before `p_before` (YYYY-MM); 24 by default. */
  list_revenue_months: { request: RevenueMonthsRequest; response: RevenueMonths };
  /** The figures that the close of the first open month would fix, and what prevents it. */
  get_month_closing: { request: NoParameters; response: MonthClosing };
  /**
   * Asks to close a month: its figures are final, and what comes later is posted to an open month. A worker closes it,
   * with the figures of `get_month_closing` that the person saw and no others; `closing` of `list_revenue_months` says
   * how far it is. Months are closed in order, at least 15 minutes after their end. While one waits, and once the month
   * is closed, the same call answers the same.
   */
  close_book_month: { request: CloseMonthRequest; response: MonthClose };
  /** At the end of a month; of the current one, which is the default, now. */
  get_deferred_revenue: { request: DeferredRevenueRequest; response: DeferredRevenue };
  /** The shares that creators are owed. `p_at`: now by default. 50 creators by default. */
  list_creator_liabilities: { request: LiabilitiesRequest; response: CreatorLiabilities };
  /**
   * The entries of 1 to 4 accounts from `p_from` (inclusive) to `p_to` (exclusive). 100 by default.
   */
  list_book_entries: { request: BookEntriesRequest; response: BookEntries };
  /** The entries of an event; none when it moves no value. */
  get_event_entries: { request: EventEntriesRequest; response: BookEntry[] };
}
