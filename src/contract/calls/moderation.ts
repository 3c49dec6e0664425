import { IsBoolean, IsIn } from 'class-validator';
import {
  CASE_DECISIONS,
  CASE_KINDS,
  CASE_REASONS,
  type CaseDecided,
  type CaseDecision,
  type CaseKind,
  type CaseReason,
  GOODWILL_MAX_CREDITS,
  type ModerationCase,
  type ModerationCaseRow,
  type Suspension,
} from '../moderation.js';
import { type Count, type Credits, type NoParameters, type Success } from '../scalars.js';
import { IsId, IsStoredText, IsWhole, LONG_TEXT_LENGTH, Optional } from './fields.js';
import { PageRequest, UserById } from './shared.js';

/** Longest suspension by the decision of a case, days. */
const MOST_CASE_DAYS = 365;
/** Longest suspension that ends by itself, days. */
const MOST_DAYS = 3_650;

export class CasesRequest extends PageRequest {
  /** Default false: the open cases. */
  @Optional(IsBoolean())
  p_decided?: boolean;

  @Optional(IsIn(CASE_KINDS))
  p_kind?: CaseKind | null;

  @Optional(IsIn(CASE_REASONS))
  p_reason?: CaseReason | null;

  @Optional(IsId())
  p_creator_id?: string | null;
}

export class CaseReference {
  @IsIn(CASE_KINDS)
  p_kind!: CaseKind;

  @IsId()
  p_id!: string;
}

export class DecideCaseRequest extends CaseReference {
  @IsIn(CASE_DECISIONS)
  p_decision!: CaseDecision;

  /** The rule that was broken, in words that the owner reads. Required unless it is kept. */
  @Optional(IsStoredText(LONG_TEXT_LENGTH))
  p_note?: string | null;

  /** Refuses the same prompt for this creator from now on. */
  @Optional(IsBoolean())
  p_block_prompt?: boolean;

  /** Counts the image that is taken down as a strike: by default for reports, and not for requests of creators. */
  @Optional(IsBoolean())
  p_strike?: boolean | null;

  /** Suspends the maker for so many days. */
  @Optional(IsWhole(1, MOST_CASE_DAYS))
  p_suspend_days?: Count | null;

  /** Grants the maker bonus credits, with the case as the reason. */
  @Optional(IsWhole(1, GOODWILL_MAX_CREDITS))
  p_goodwill_credits?: Credits | null;
}

export class UndoActRequest {
  @IsId()
  p_act_id!: string;
}

export class LiftSuspensionRequest extends UserById {
  /** For the user; also kept in the log of acts. */
  @IsStoredText(LONG_TEXT_LENGTH)
  p_reason!: string;
}

export class SuspendRequest extends LiftSuspensionRequest {
  /** Absent or null: until an admin lifts it. */
  @Optional(IsWhole(1, MOST_DAYS))
  p_days?: Count | null;
}

export interface ModerationCalls {
  /**
   * A page of cases: urgent ones first, then overdue ones, then the others, and refusals last, because nothing was
   * drawn. The oldest comes first; of decided ones the latest. 50 by default.
   */
  list_moderation_cases: { request: CasesRequest; response: ModerationCaseRow[] };
  get_moderation_case: { request: CaseReference; response: ModerationCase };
  /** Decides a case. The ledger stays as it is, apart from a goodwill grant. */
  decide_moderation_case: { request: DecideCaseRequest; response: CaseDecided };
  /**
   * Undoes a decision within 24 hours: the image, the prompt, the strike and a suspension that the strike caused.
   * Grants and suspensions by an admin are not undone.
   */
  undo_moderation_act: { request: UndoActRequest; response: Success };
  /** Keeps a user from generating: for days, or until it is lifted (null). */
  suspend_user_admin: { request: SuspendRequest; response: Suspension };
  lift_suspension_admin: { request: LiftSuspensionRequest; response: Success };
  /** The caller's suspension; null without one. */
  get_own_suspension_by_jwt: { request: NoParameters; response: Suspension | null };
}
