import { type SealedTable } from '../../platform/acts/sealed-rows.js';
import { type PayoutSkipReason } from '../../contract/payouts.js';

/** A step of a run that the worker carries out, creator by creator. */
export type RunTask = 'draft' | 'fix' | 'check' | 'cancel';

/** A payout run: what people decided about it, and how far the worker is. The payouts themselves are events. */
export interface PayoutRunTable {
  id: string;
  /** From 1. */
  number: number;
  cutoff: Date;
  minimum_cents: number;
  /** The latest decision. */
  step: RunTask;
  /** True while the worker has not carried out the latest decision for every creator. */
  working: boolean;
  /** The creator up to which it was carried out. */
  done_until: string;
  /** Null: the app. */
  drafted_by: string | null;
  drafted_at: Date;
  draft_act: string;
  fixed_by: string | null;
  fixed_at: Date | null;
  fix_act: string | null;
  checked_by: string | null;
  checked_at: Date | null;
  check_act: string | null;
  cancelled_by: string | null;
  cancelled_at: Date | null;
  cancel_act: string | null;
  cancel_reason: string | null;
  /** Number of files for the bank, also of those that were taken back. */
  files: number;
}

/** A creator of a run, as the draft found them: with a payout, or with the reason why there is none. */
export interface PayoutRunCreatorTable {
  run_id: string;
  creator_id: string;
  /** Payable at the cutoff since the first earning, US cents. */
  payable_cents: number;
  /** Paid before, US cents. */
  paid_cents: number;
  payout_id: string | null;
  skipped: PayoutSkipReason | null;
  /** The file for the bank that has the payout. 0: none may have it, because its end was asked for. Null: none yet. */
  file: number | null;
  /** A person has begun to end the payout. */
  ending: boolean;
  /** The latest file that had the payout and was taken back. */
  taken_back_file: number | null;
}

/** A creator of a run, as the draft stores it. */
export type DraftedCreator = Omit<PayoutRunCreatorTable, 'file' | 'ending' | 'taken_back_file'>;

/** A file for the bank. */
export interface PayoutFileTable {
  run_id: string;
  /** From 1, in each run. */
  file: number;
  made_by: string;
  made_at: Date;
  /** As it was made. */
  payouts: number;
  amount_cents: number;
  /** Null: it was not taken back. */
  taken_back_by: string | null;
  taken_back_at: Date | null;
  taken_back_reason: string | null;
}

/** A file of a bank, by the SHA-256 of its text. */
export interface BankReportTable {
  id: string;
  act_id: string;
  recorded_by: string;
  recorded_at: Date;
  /** False while lines have no outcome. */
  done: boolean;
  /** The salt of the hash of its lines in the act; null for files that were recorded before there were hashes. */
  salt: string | null;
}

/** A line of a bank's file. */
export interface BankReportLineTable {
  report_id: string;
  line: number;
  payout_id: string;
  creator_id: string | null;
  amount_cents: number;
  bank_reference: string;
  /** UTC day, YYYY-MM-DD. */
  paid_on: string;
  outcome: 'recorded' | 'refused' | null;
  /** Why it was refused. */
  problem: string | null;
}

/** A file of a bank, as its act fixes it. `lines`: number, payout, amount, reference and day of each. */
export const SEALED_BANK_REPORT = {
  table: 'bank_report',
  id: 'id',
  columns: ['id', 'recorded_by', 'recorded_at', 'lines'],
} as const satisfies SealedTable;

/** Tables of payout runs. They are no projections: people and the worker write them. */
export interface RunTables {
  payout_run: PayoutRunTable;
  payout_run_creator: PayoutRunCreatorTable;
  payout_file: PayoutFileTable;
  bank_report: BankReportTable;
  bank_report_line: BankReportLineTable;
}
