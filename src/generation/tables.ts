import { type ColumnType, type Generated, type JSONColumnType, type Selectable } from 'kysely';
import { type CreditTypeUsed, type RefundReason } from '../credits/index.js';
import { type AspectRatio } from '../contract/aspect-ratios.js';
import { type ImageInfo } from '../contract/media.js';
import { type ModerationCategory } from './moderation/prompt-moderator.js';
import { type TakeDownState } from '../contract/gallery.js';
import { type ReportReason } from '../contract/generation.js';
import { type CaseDecision, type CaseKind, type CaseReason } from '../contract/moderation.js';

export type GenerationStatus = 'pending' | 'completed' | 'failed';

/** One generation. The row is its own outbox: `next-step.ts` derives the remaining work from it. */
export interface GenerationTable {
  /** UUIDv7; also the id of the credit deduction. */
  id: string;
  user_id: string;
  creator_id: string;
  prompt: string;
  /** The shape that was asked for; tests are squares. */
  aspect_ratio: Generated<AspectRatio>;
  status: GenerationStatus;
  /** The deployment or model version that draws. */
  model: string;
  /** Credits; 0 for tests alone. */
  cost: number;
  credit_type_used: CreditTypeUsed | null;
  prediction_id: string | null;
  /** The provider's address of the image, until it is copied. Never leaves the server. */
  output_url: string | null;
  image: JSONColumnType<ImageInfo | null, string | null, string | null>;
  /** The salt of the two hashes. Erased with prompt and image; null for images of before there were hashes. */
  salt: string | null;
  /** The salted hashes of the stored original and of the prompt, for the settlement. */
  image_hash: string | null;
  prompt_hash: string | null;
  error_message: string | null;
  /** Why the credits are refunded; set when the generation fails. */
  refund_reason: RefundReason | null;
  /** True once credits were refunded. Stays false when none were deducted. */
  refunded: Generated<boolean>;
  refund_amount: number | null;
  refunded_at: Date | null;
  /** When the deduction ended: settled, refunded, or voided because it was never made. */
  credits_closed_at: Date | null;
  /** An unwanted prediction may still run and must be cancelled. */
  provider_cancel_due: Generated<boolean>;
  /** Only the lease holder changes the row before this instant. Also paces retries and polls. */
  not_before: Date;
  lease_holder: string | null;
  /** The id that the browser chose for the request of the start: a repeated request starts nothing. */
  request_id: string | null;
  /** Failed attempts of the current step, for its back-off. */
  attempts: Generated<number>;
  drawing_at: Date | null;
  finishing_at: Date | null;
  completed_at: Date | null;
  /** Set while its owner hides it: only the owner and admins may see it. */
  hidden_at: Date | null;
  /** Set while a take-down request of the creator is open: only its owner and admins may see it. */
  taken_down_at: Date | null;
  /** Set while a decision of an admin hides it. */
  moderated_at: Date | null;
  /** `hidden`: only its owner and admins see it. `taken_down`: only admins, and its files are deleted after a day. */
  moderation: 'hidden' | 'taken_down' | null;
  /** The rule that was broken, for its owner. */
  moderation_note: string | null;
  /** Set while the creator has withdrawn. Reads test the creator itself; this makes the files move. */
  withheld_at: Date | null;
  /** When the files of an image that is hidden, taken down, withheld or moderated got new addresses. */
  media_moved_at: Date | null;
  /** Set once deleted: the prompt and the image are erased, the row stays for the credits. */
  deleted_at: Date | null;
  /** A creator's free test of the own model. Only the creator and admins see it. */
  is_test: Generated<boolean>;
  /** UTC day of a test's start, YYYY-MM-DD; null for other generations. */
  test_day: string | null;
  /** Place of a test among those that count towards its day; null when it does not count. */
  test_slot: number | null;
  test_rating: 'good' | 'bad' | null;
  /** The creator's words for the representative who trains the model. */
  test_note: string | null;
  created_at: Date;
  /** The last visible change; leases and polls do not count. */
  updated_at: Date;
  /** Grows with every change of the row (set by a trigger). */
  revision: ColumnType<number, never, never>;
}

/** Recorded webhook deliveries, so that a repeat changes nothing. Kept for a day. */
export interface GenerationWebhookTable {
  delivery_id: string;
  received_at: Date;
}

/** Prompts that our rules refused, for admins. Kept for 90 days. */
export interface ModerationRefusalTable {
  id: string;
  user_id: string;
  creator_id: string;
  category: ModerationCategory;
  prompt: string;
  created_at: Date;
}

/** A report of an image, for admins. At most one per user and image. */
export interface GenerationReportTable {
  id: string;
  generation_id: string;
  creator_id: string;
  /** The reporting user. */
  user_id: string;
  reason: ReportReason;
  /** The user's own words; may be empty. */
  note: string;
  /** A copy: it stays in the report when the image is deleted. */
  prompt: string;
  created_at: Date;
  resolved_at: Date | null;
  resolved_by: string | null;
  /** `hidden`: only its owner sees the image. `removed`: it is taken down, and deleted after 24 hours. */
  resolution: 'dismissed' | 'hidden' | 'removed' | null;
  /** The act that resolved it. */
  act_id: string | null;
}

/** A creator's request to remove an image, for admins. At most one is open for an image. */
export interface GenerationTakeDownTable {
  id: string;
  generation_id: string;
  creator_id: string;
  /** The creator's own words. */
  reason: string;
  requested_at: Date;
  due_at: Date;
  /** Null while it is open. `taken_back`: by the creator. */
  decision: TakeDownState['decision'];
  decided_at: Date | null;
  /** The admin or the creator's user; `system` when the creator's account was closed. */
  decided_by: string | null;
  /** The admin's own words; may be empty. */
  note: Generated<string>;
  /** The act that decided it. */
  act_id: string | null;
}

/**
 * The queue of the admins: a row for each reported image, take-down request and refusal. It is written in the
 * statements that store those, and holds no text.
 */
export interface ModerationCaseTable {
  kind: CaseKind;
  /** The image of reports; otherwise the request, the refusal, or the generation that the provider refused. */
  id: string;
  /** Null for refusals of our own rules. */
  generation_id: string | null;
  creator_id: string;
  /** The user whose image or prompt it is. */
  maker_id: string;
  reason: CaseReason;
  /** 0: reports of sexual content or minors. 1: other images. 2: refusals, because nothing was drawn. */
  rank: number;
  opened_at: Date;
  due_at: Date | null;
  /** Null while it is open. A new report opens it again. */
  decision: CaseDecision | null;
  decided_at: Date | null;
  decided_by: string | null;
  act_id: string | null;
}

/** Decisions of admins, with what they replaced. */
export interface ModerationDecisionTable {
  act_id: string;
  kind: CaseKind;
  case_id: string;
  generation_id: string | null;
  creator_id: string;
  maker_id: string;
  decision: CaseDecision;
  decided_at: Date;
  decided_by: string;
  /** The state of the image before, which an undo restores; null without an image. */
  before: JSONColumnType<ModeratedState | null, string | null, string | null>;
  /** The prompt that it blocked. */
  blocked_prompt: string | null;
  undone_at: Date | null;
}

/** The visibility of an image, as far as creators and admins decide it. Instants are ISO 8601. */
export interface ModeratedState {
  readonly taken_down_at: string | null;
  readonly moderated_at: string | null;
  readonly moderation: GenerationTable['moderation'];
  readonly moderation_note: string | null;
}

/** Prompts that an admin has blocked for a creator. */
export interface GenerationBlockedPromptTable {
  creator_id: string;
  /** SHA-256 of the folded prompt, hex. */
  prompt_hash: string;
  blocked_at: Date;
  /** The decision that blocked it. */
  act_id: string;
}

/** Taken-down images that count against their maker. */
export interface GenerationStrikeTable {
  /** The decision that took the image down. */
  act_id: string;
  user_id: string;
  generation_id: string;
  created_at: Date;
}

/** Users who may start no images. */
export interface GenerationSuspensionTable {
  user_id: string;
  since: Date;
  /** Null: until an admin lifts it. */
  until: Date | null;
  /** For the user. */
  reason: string;
  /** The decision whose strike caused it; null for suspensions by an admin. Only the version before reads it. */
  strike_act_id: string | null;
  /** All that were added since, the first one first. An undo takes one of them away. */
  causes: ColumnType<SuspensionCause[], string, string>;
}

/** A suspension that was added to those in force, as JSON. */
export interface SuspensionCause {
  /** The decision whose strike caused it; null for suspensions by an admin. */
  readonly act_id: string | null;
  readonly since: string;
  readonly until: string | null;
  readonly reason: string;
}

/** Stored files without a generation: copies that are being made, and originals that were replaced. */
export interface GenerationMediaRemovalTable {
  /** As in the file storage. */
  name: string;
  /** Deleted from this instant on. From then on, every process also withholds the file. */
  remove_at: Date;
  /** When deleting is tried again; null before it failed. */
  retry_at: ColumnType<Date | null, Date | null | undefined, Date>;
}

/** Users whose accounts are closed. From the insert on, nothing of them is public and they start nothing. */
export interface GenerationClosedOwnerTable {
  user_id: string;
  closed_at: Date;
  /** When the last prompt and image were erased. */
  erased_at: Date | null;
}

export interface GenerationTables {
  generation: GenerationTable;
  generation_media_removal: GenerationMediaRemovalTable;
  generation_closed_owner: GenerationClosedOwnerTable;
  generation_report: GenerationReportTable;
  generation_take_down: GenerationTakeDownTable;
  moderation_case: ModerationCaseTable;
  moderation_decision: ModerationDecisionTable;
  generation_blocked_prompt: GenerationBlockedPromptTable;
  generation_strike: GenerationStrikeTable;
  generation_suspension: GenerationSuspensionTable;
  moderation_refusal: ModerationRefusalTable;
  generation_webhook: GenerationWebhookTable;
  /** The last refusal of our account by the image provider, for each status of its answer. */
  generation_provider_refusal: { status: number; refused_at: Date };
}

export type GenerationRow = Selectable<GenerationTable>;
