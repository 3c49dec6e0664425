/** What the calls of auditors answer. Amounts are credits, instants ISO 8601 UTC. No personal data: users are opaque ids. */

export interface AccountBalance {
  readonly daily: number;
  readonly bonus: number;
  readonly paid: number;
  readonly total: number;
}

/** Something that is wrong with the stream that an answer was made from. */
export interface AccountProblem {
  readonly version: number | null;
  readonly kind: string;
  readonly what: string;
}

/** `get_account_balance_at` */
export interface AccountBalanceAt {
  readonly user_id: string;
  readonly at: string;
  readonly balance: AccountBalance;
  /** In deductions that had not ended. */
  readonly open: number;
  /** For purchases that were reversed after they had been spent. */
  readonly owed: number;
  /** Version of the last event that counts; -1: no account yet. */
  readonly version: number;
  /** Its hash. */
  readonly head: string | null;
  /** The first ones; an answer with problems proves nothing. */
  readonly problems: readonly AccountProblem[];
}

export interface StatementEntry {
  readonly at: string;
  /** Type of the event, or `lapsed`. */
  readonly what: string;
  /** Deduction, lot, reversal or adjustment. */
  readonly reference: string;
  /** Signed. */
  readonly amount: number;
  readonly balance: number;
  readonly version: number | null;
}

/** `get_account_statement`: opening and closing balance of the period, and a page of the lines between them. */
export interface AccountStatement {
  readonly user_id: string;
  readonly from: string;
  /** Not included. */
  readonly to: string;
  readonly opening: AccountBalance;
  readonly closing: AccountBalance;
  readonly lines: readonly StatementEntry[];
  /** Of the whole period. */
  readonly total_lines: number;
  readonly problems: readonly AccountProblem[];
}

/** `export_ledger_events`: the lines of all pages, in order, each ended by a line feed, are a file for `verify-export`. */
export interface LedgerExportPage {
  readonly lines: readonly string[];
  /** `p_cursor` of the next page; null with the last one. */
  readonly next_cursor: string | null;
}
