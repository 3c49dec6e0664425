import { type CreatorMoney } from './revenue.js';
import { type Cents, type Count, type Credits, type Instant } from './scalars.js';

/**
 * Calls about the books, for finance and admins. Amounts are US cents, months YYYY-MM in UTC. `docs/books.md` explains
 * the accounts.
 */

/** An account of the books. */
export interface BookAccount {
  /** Its number in the chart of accounts. */
  readonly account: Count;
  readonly name: string;
  readonly kind: 'asset' | 'liability' | 'income' | 'expense' | 'memorandum';
}

/** An account at an instant. */
export interface BookBalance extends BookAccount {
  /** The balance when it is a debit, else 0. Null: unknown, because nothing was read from the processor yet. */
  readonly debit_cents: Cents | null;
  /** The balance when it is a credit, else 0. Null: unknown. */
  readonly credit_cents: Cents | null;
  /** Unspent credits, of customer credits and promotional credits; null for other accounts. */
  readonly credits: Credits | null;
}

/** `get_trial_balance` */
export interface TrialBalance {
  readonly at: Instant;
  /** Time of the first entry; null when there is none. */
  readonly begins_at: Instant | null;
  /** Every account of the rule of the instant, in the order of the numbers. */
  readonly accounts: readonly BookBalance[];
  /** Equals `credit_cents`. */
  readonly debit_cents: Cents;
  readonly credit_cents: Cents;
  /** How account 2100 is divided at the instant. Null: by rule 1, whose accounts divide it. */
  readonly creator_share: ShareParts | null;
}

/** The parts of account 2100: its credit balance is `pending_cents + payable_cents - debt_cents`. */
export interface ShareParts {
  readonly pending_cents: Cents;
  readonly payable_cents: Cents;
  /** Debit balances of creators: taken back after a payout. */
  readonly debt_cents: Cents;
}

/** A month of `list_revenue_months`. What was taken back lowers the month in which that happened. */
export interface BookMonth {
  readonly month: string;
  /** Deferred revenue at the start of the month. Plus what was sold and lost, less all else, it is `deferred_cents`. */
  readonly opening_cents: Cents;
  /** Paid for credits. */
  readonly sold_cents: Cents;
  /** Earned by delivered images: the shares of creators and of the platform. */
  readonly recognised_cents: Cents;
  readonly recognised_credits: Credits;
  readonly creator_cents: Cents;
  readonly platform_cents: Cents;
  /** Returned by refunds, less those that failed. */
  readonly refunded_cents: Cents;
  /** Returned by disputes, less those that were won. */
  readonly charged_back_cents: Cents;
  /** Credits that were removed or given up, and remainders of prices. */
  readonly other_income_cents: Cents;
  /** Returned money that neither credits nor earnings covered. Negative: recovered. */
  readonly loss_cents: Cents;
  /** Deferred revenue at the end of the month, or now. */
  readonly deferred_cents: Cents;
  readonly deferred_credits: Credits;
  /** When the month was closed: its figures never change. Null: it is open. */
  readonly closed_at: Instant | null;
  readonly closed_by: string | null;
  /** Null when the person is not known any more. */
  readonly closed_by_name: string | null;
}

/** `list_revenue_months` */
export interface RevenueMonths {
  /** Now: the month of this instant is in progress. */
  readonly at: Instant;
  /** The latest first: every month from the first entry to now. */
  readonly months: readonly BookMonth[];
  /** Number of all months. */
  readonly month_count: Count;
  /** The first open month, if it ended at least 15 minutes ago; else null. */
  readonly next_to_close: string | null;
  /** The newest attempt to close that month; null: none. */
  readonly closing: MonthClose | null;
}

/**
 * - `waiting`: a worker closes the month as soon as nothing is in its way.
 * - `closed`: with the figures that the person saw.
 * - `changed`: the month has other figures than the person saw. It was not closed with them.
 * - `refused`: the person may not close months any more.
 */
export type MonthCloseState = 'waiting' | 'closed' | 'changed' | 'refused';

/** `close_book_month`: the outcome so far of the wish to close a month. */
export interface MonthClose {
  readonly month: string;
  readonly state: MonthCloseState;
  /** The time of the close, when the month was closed before. */
  readonly asked_at: Instant;
  readonly asked_by: string;
  readonly asked_by_name: string | null;
  /** Why it waits or is refused, as a sentence. */
  readonly obstacle: string | null;
  /** In the order of the accounts; empty unless the state is `changed`. */
  readonly changes: readonly FigureChange[];
}

/** An account whose balance is not what the person saw. Debit positive; null cents: unknown. */
export interface FigureChange {
  readonly account: Count;
  readonly name: string;
  readonly seen_cents: Cents | null;
  readonly found_cents: Cents | null;
  /** Unspent credits. */
  readonly seen_credits: Credits;
  readonly found_credits: Credits;
}

/** `get_month_closing`: what the close of the first open month would fix. */
export interface MonthClosing {
  /** The first open month; null while the books have no entry. */
  readonly month: string | null;
  /** Why it cannot be closed now, as a sentence; null: it can. */
  readonly obstacle: string | null;
  /** Whether anything was read from the processor up to the end of the month. If not, its accounts stay unknown. */
  readonly processor_is_known: boolean;
  /** Transactions up to the end of the month for which the ledger has nothing. They do not prevent the close. */
  readonly open_transactions: Count;
  /** The change of the balance at the processor that they make. */
  readonly open_cents: Cents;
  /** The trial balance of the last instant of the month, or of now while it has not ended. */
  readonly accounts: readonly BookBalance[];
  readonly debit_cents: Cents;
  readonly credit_cents: Cents;
  readonly creator_share: ShareParts | null;
  /** All of these figures in one text. `close_book_month` takes it. */
  readonly figures: string;
}

/** `get_deferred_revenue`: the value of unspent paid credits. */
export interface DeferredRevenue {
  /** The month at whose end it is; the current month: now. */
  readonly month: string;
  readonly at: Instant;
  readonly cents: Cents;
  readonly credits: Credits;
  /** By the month of the purchase, the oldest first. */
  readonly ages: readonly DeferredAge[];
}

export interface DeferredAge {
  readonly bought_month: string;
  /** Whole months between the month of the purchase and `month`. */
  readonly age_months: Count;
  readonly cents: Cents;
  readonly credits: Credits;
}

/** A creator of `list_creator_liabilities`. */
export interface CreatorLiability extends CreatorMoney {
  readonly creator_id: string;
  /** Null when there is no such creator any more. */
  readonly name: string | null;
  readonly username: string | null;
}

/** `list_creator_liabilities`: its own figures are the sums over all creators. */
export interface CreatorLiabilities extends CreatorMoney {
  readonly at: Instant;
  /** The account that has what was paid: 1100, by rule 1 2140. */
  readonly paid_account: Count;
  /** A page, in the order of the ids. */
  readonly creators: readonly CreatorLiability[];
  /** `p_after` of the next page; null after the last one. */
  readonly next: string | null;
}

/** A line of the journal. */
export interface BookEntry {
  /** The place of the line; `p_after` accepts it. */
  readonly id: string;
  /** With `version` it names the event. Of an event of a payout: the name of its stream. */
  readonly user_id: string;
  readonly version: Count;
  readonly line: Count;
  readonly account: Count;
  readonly account_name: string;
  readonly event_type: string;
  readonly occurred_at: Instant;
  readonly debit_cents: Cents;
  readonly credit_cents: Cents;
  /** Signed like a debit; 0 on most accounts. */
  readonly credits: Credits;
  /** The purchase. */
  readonly session_id: string | null;
  /** Month of the purchase, of entries of customer credits (2000); else null. */
  readonly bought_month: string | null;
  /** The image. */
  readonly generation_id: string | null;
  readonly creator_id: string | null;
  /** The refund or dispute. */
  readonly reversal_id: string | null;
  /** A creator's share is payable from this instant on; else null. */
  readonly payable_at: Instant | null;
}

/** `list_book_entries` */
export interface BookEntries {
  /** Sums over all entries of the period: debit positive, credit negative. */
  readonly cents: Cents;
  readonly credits: Credits;
  /** The accounts that were asked for. */
  readonly accounts: readonly BookAccount[];
  /** A page, the oldest first. */
  readonly entries: readonly BookEntry[];
  /** `p_after` of the next page; null after the last one. */
  readonly next: string | null;
}
