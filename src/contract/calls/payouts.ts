import { IsBoolean, IsIn, Matches } from 'class-validator';
import { CREATOR_ID } from '../formats.js';
import {
  type BankReport,
  type CreatorPayouts,
  PAYOUT_ENDS,
  type PayoutActAnswer,
  type PayoutEnd,
  type PayoutFile,
  type PayoutFiles,
  type PayoutRun,
  type PayoutRunCreators,
  type PayoutRuns,
  type PayoutRunSums,
  type PayoutStatement,
  type PayoutStatements,
  type TransfersTaken,
} from '../payouts.js';
import { type Count, type Instant } from '../scalars.js';
import { INSTANT_LENGTH, IsCreatorId, IsId, IsReason, IsText, IsWhole, MAX_INTEGER, Optional } from './fields.js';

/** 20,000 lines of 150 characters. Characters. */
const FILE_LENGTH = 3_000_000;
/** The place of a payout in the list of a creator. */
const PLACE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [\w-]{1,100}$/;

class PayoutPage {
  @Optional(IsWhole(1, 200))
  p_limit?: Count;
}

export class PayoutRunsRequest extends PayoutPage {
  @Optional(IsWhole(1, MAX_INTEGER))
  p_before?: Count;
}

export class PayoutRunById {
  @IsId()
  p_run_id!: string;
}

export class RunCreatorsRequest extends PayoutPage {
  @IsId()
  p_run_id!: string;

  @Optional(IsBoolean())
  p_skipped?: boolean;

  @Optional(IsCreatorId())
  p_after?: string;
}

export class CreatorPayoutsRequest extends PayoutPage {
  @IsCreatorId()
  p_creator_id!: string;

  @Optional(Matches(PLACE, { message: 'p_before must be the value of `next`' }))
  p_before?: string;
}

export class PayoutById {
  @IsPayoutId()
  p_payout_id!: string;
}

export class BankReportRequest extends PayoutPage {
  @Matches(/^[0-9a-f]{64}$/, { message: 'p_report_id must be the id of a report' })
  p_report_id!: string;

  @Optional(IsWhole(0, MAX_INTEGER))
  p_after?: Count;
}

export class DraftRunRequest {
  /** Chosen by the caller. The same id is the same run. */
  @IsId()
  p_run_id!: string;

  @Optional(IsText(INSTANT_LENGTH))
  p_cutoff?: Instant;
}

export class PayoutFileRequest extends PayoutRunById {
  @IsWhole(1, 9_999)
  p_file!: Count;
}

export class PayoutFilesRequest extends PayoutPage {
  @IsId()
  p_run_id!: string;

  @Optional(IsWhole(1, MAX_INTEGER))
  p_before?: Count;
}

class ReasonRequest {
  /** Stored permanently: must not name a person. */
  @IsReason()
  p_reason!: string;
}

export class CancelRunRequest extends ReasonRequest {
  @IsId()
  p_run_id!: string;
}

export class TakeBackFileRequest extends PayoutFileRequest {
  /** Stored permanently: must not name a person. */
  @IsReason()
  p_reason!: string;
}

export class EndPayoutRequest extends ReasonRequest {
  @IsPayoutId()
  p_payout_id!: string;

  @IsIn(PAYOUT_ENDS)
  p_end!: PayoutEnd;
}

export class ReleasePayoutsRequest extends ReasonRequest {
  @IsCreatorId()
  p_creator_id!: string;
}

export class HoldPayoutsRequest extends ReleasePayoutsRequest {
  @IsText(INSTANT_LENGTH)
  p_until!: Instant;
}

export class RecordTransfersRequest {
  @IsText(FILE_LENGTH)
  p_file!: string;
}

function IsPayoutId(): PropertyDecorator {
  return Matches(CREATOR_ID, { message: '$property must be the id of a payout' });
}

export interface PayoutCalls {
  /**
   * The statements of a creator's payouts. For the creator, admins and finance. 50 by default. A page before
   * the place `p_before`, the `next` of the page before.
   */
  list_payout_statements: { request: CreatorPayoutsRequest; response: PayoutStatements };
  /** The statement of a payout whose amount is final. For the creator, admins and finance. */
  get_payout_statement: { request: PayoutById; response: PayoutStatement };
  /** All runs, the latest first. A page before the run with the number `p_before`; 50 by default. */
  list_payout_runs: { request: PayoutRunsRequest; response: PayoutRuns };
  /** A run with its sums, and how far the worker is. */
  get_payout_run: { request: PayoutRunById; response: PayoutRunSums };
  /**
   * The creators of a run: with a payout, or with the reason why there is none. 50 by default.
   * `p_skipped`: only those without a payout (true), or only those with one (false).
   */
  list_payout_run_creators: { request: RunCreatorsRequest; response: PayoutRunCreators };
  /** The payouts of a creator, of all runs, and the last hold. 50 by default. */
  list_creator_payouts: { request: CreatorPayoutsRequest; response: CreatorPayouts };
  /** The outcome of a file of the bank, with a page of its refused lines. 50 by default. */
  get_bank_report: { request: BankReportRequest; response: BankReport };
  /**
   * Begins a run; the worker drafts the payouts. The caller chooses the id: the same one again changes nothing.
   * `p_cutoff`: a midnight in UTC that is at least 15 minutes old; the latest one by default.
   */
  draft_payout_run: { request: DraftRunRequest; response: PayoutRun };
  /** Makes the amounts of a drafted run final. */
  fix_payout_run: { request: PayoutRunById; response: PayoutRun };
  /** Checks a fixed run. For admins, but not for the author of the draft. */
  check_payout_run: { request: PayoutRunById; response: PayoutRun };
  /**
   * Puts the checked payouts of a run that can be sent now into a file for the bank. Each payout is in one file that
   * was not taken back. `p_file`: the number of the next file; a number that exists changes nothing. Creators whose
   * details changed within 7 days wait for a later file. For admins; `GET /exports/payout-file.csv` downloads the file.
   */
  make_payout_file: { request: PayoutFileRequest; response: PayoutFile };
  /** The files of a run for the bank, also those that were taken back. 50 by default. */
  list_payout_files: { request: PayoutFilesRequest; response: PayoutFiles };
  /**
   * Takes back a file that was never sent to the bank: its payouts are checked and in no file, so a later file has
   * them. Its number is not used again. Refused once a payout of it was paid or has failed, or the bank has reported
   * one. Repeating it changes nothing. For admins.
   */
  take_back_payout_file: { request: TakeBackFileRequest; response: PayoutActAnswer };
  /** Gives up what is not paid yet. The amounts are payable again. The reason is stored for ever. */
  cancel_payout_run: { request: CancelRunRequest; response: PayoutRun };
  /**
   * Gives up one payout that no file for the bank ever had (`cancel`), or records that the bank refused it or that it
   * came back (`fail`). For admins.
   */
  end_payout: { request: EndPayoutRequest; response: PayoutActAnswer };
  /** Keeps a creator out of runs until an instant, at most two years ahead. Replaces an earlier hold. For admins. */
  hold_payouts: { request: HoldPayoutsRequest; response: PayoutActAnswer };
  /** Ends the hold of a creator's payouts. For admins. */
  release_payouts: { request: ReleasePayoutsRequest; response: PayoutActAnswer };
  /**
   * Records transfers as paid. `p_file` is CSV with the columns `reference`, `amount` (dollars with two decimals),
   * `paid_on` (YYYY-MM-DD) and `bank_reference`, at most 20,000 lines. A file with a wrong line is refused as a whole;
   * the same file again changes nothing. For admins, except for payouts that they have drafted.
   */
  record_transfers: { request: RecordTransfersRequest; response: TransfersTaken };
}
