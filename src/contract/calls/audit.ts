import { IsBoolean } from 'class-validator';
import {
  type AccountBalanceAt,
  type AccountEvent,
  type AccountStatement,
  type LedgerAccountsPage,
  type LedgerEventsPage,
  type LedgerExportPage,
  type LedgerProof,
  type LedgerSealPart,
  type LedgerSealsPage,
  type LedgerVerification,
  type VerificationRun,
  type VerificationRunsPage,
} from '../audit.js';
import { type Count, type NoParameters } from '../scalars.js';
import { ID_LENGTH, INSTANT_LENGTH, IsPrintableId, IsText, IsWhole, Optional } from './fields.js';
import { AccountEventRequest, UserById } from './shared.js';

/** Largest place in a list, or number of a seal. */
const MAX_POSITION = 1_000_000_000;

export class BalanceAtRequest extends UserById {
  /** Default: now. */
  @Optional(IsText(INSTANT_LENGTH))
  p_at?: string;
}

export class AccountStatementRequest extends UserById {
  /** Included. Default: the beginning. */
  @Optional(IsText(INSTANT_LENGTH))
  p_from?: string;

  /** Not included. Default and maximum: now. */
  @Optional(IsText(INSTANT_LENGTH))
  p_to?: string;

  /** Lines; default 100. */
  @Optional(IsWhole(1, 500))
  p_limit?: Count;

  /** Lines to skip. */
  @Optional(IsWhole(0, MAX_POSITION))
  p_offset?: Count;

  /** True: the newest line first. Default: the oldest. */
  @Optional(IsBoolean())
  p_newest_first?: boolean;
}

export class LedgerAccountsRequest {
  /** `next` of the previous page. */
  @Optional(IsText(ID_LENGTH))
  p_after?: string;

  /** Accounts; default 100. */
  @Optional(IsWhole(1, 500))
  p_limit?: Count;
}

export class FindEventsRequest {
  @IsPrintableId()
  p_id!: string;

  /** `next` of the previous page. */
  @Optional(IsText(80))
  p_after?: string;

  /** Events; default 100. */
  @Optional(IsWhole(1, 500))
  p_limit?: Count;
}

export class SealsRequest {
  /** `next` of the previous page. */
  @Optional(IsWhole(0, MAX_POSITION))
  p_after?: Count;

  /** Seals; default 100. */
  @Optional(IsWhole(1, 500))
  p_limit?: Count;

  /** True: the newest seal first. Default: the oldest. */
  @Optional(IsBoolean())
  p_newest_first?: boolean;
}

export class SealPartRequest {
  @IsWhole(1, MAX_POSITION)
  p_number!: Count;

  /** `next_offset` of the previous part. */
  @Optional(IsWhole(0, Number.MAX_SAFE_INTEGER))
  p_offset?: Count;
}

export class LedgerProofRequest extends UserById {
  /** Default: the newest. */
  @Optional(IsWhole(1, MAX_POSITION))
  p_number?: Count;
}

export class VerificationRunsRequest {
  /** `next` of the previous page. */
  @Optional(IsWhole(0, Number.MAX_SAFE_INTEGER))
  p_after?: Count;

  /** Runs; default 20. */
  @Optional(IsWhole(1, 100))
  p_limit?: Count;
}

export class ExportEventsRequest {
  /** `next_cursor` of the previous page. */
  @Optional(IsText(8_000))
  p_cursor?: string;

  /** Events; default 500. */
  @Optional(IsWhole(1, 1_000))
  p_limit?: Count;
}

export interface AuditCalls {
  /** The credits that a user could spend at an instant. */
  get_account_balance_at: { request: BalanceAtRequest; response: AccountBalanceAt };
  /** A statement of a period. */
  get_account_statement: { request: AccountStatementRequest; response: AccountStatement };
  /** An event of an account. */
  get_account_event: { request: AccountEventRequest; response: AccountEvent };
  /** A page of all accounts, by user id. */
  list_ledger_accounts: { request: LedgerAccountsRequest; response: LedgerAccountsPage };
  /** The events that mention an id, such as that of an actor, a checkout session or a generation, in stored order. */
  find_ledger_events: { request: FindEventsRequest; response: LedgerEventsPage };
  /** A page of the seals. */
  list_ledger_seals: { request: SealsRequest; response: LedgerSealsPage };
  /** A part of a seal's file. */
  get_ledger_seal: { request: SealPartRequest; response: LedgerSealPart };
  /** The proof that a seal contains the last event of an account. */
  get_ledger_proof: { request: LedgerProofRequest; response: LedgerProof };
  /** How far the ledger is verified, and the problems that are known. */
  get_ledger_verification: { request: NoParameters; response: LedgerVerification };
  /** Starts a full verification. While one waits or is in progress, returns that one. */
  request_ledger_verification: { request: NoParameters; response: VerificationRun };
  /** A page of the full verifications, the newest first. The newest 1,000 are kept. */
  list_verification_runs: { request: VerificationRunsRequest; response: VerificationRunsPage };
  /** A page of the export of all events; its last line is signed. */
  export_ledger_events: { request: ExportEventsRequest; response: LedgerExportPage };
}
