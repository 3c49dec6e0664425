import { type ColumnType, type Generated, type JSONColumnType, type Selectable } from 'kysely';
import { type CreditTypeUsed, type RefundReason } from '../credits/index.js';
import { type ImageInfo } from '../contract/media.js';
import { type ModerationCategory } from './moderation/prompt-moderator.js';
import { type ReportReason, type ReportResolution } from '../contract/generation.js';

export type GenerationStatus = 'pending' | 'completed' | 'failed';

/** One generation. The row is its own outbox: what is left to do follows from it (`next-step.ts`). */
export interface GenerationTable {
  /** UUIDv7; also the id of the credit deduction. */
  id: string;
  user_id: string;
  creator_id: string;
  prompt: string;
  status: GenerationStatus;
  /** Deployment or version that draws. */
  model: string;
  cost: number;
  credit_type_used: CreditTypeUsed | null;
  prediction_id: string | null;
  /** Where the provider keeps the picture until we have copied it. Never leaves the server. */
  output_url: string | null;
  image: JSONColumnType<ImageInfo | null, string | null, string | null>;
  error_message: string | null;
  /** Why the credits go back; set when the generation fails. */
  refund_reason: RefundReason | null;
  /** True once credits came back. Stays false when none had been taken. */
  refunded: Generated<boolean>;
  refund_amount: number | null;
  refunded_at: Date | null;
  /** When the deduction ended: settled, refunded, or voided because it had never been made. */
  credits_closed_at: Date | null;
  /** The prediction may still run although nobody waits for it. */
  provider_cancel_due: Generated<boolean>;
  /** Nobody but the holder of the lease touches the row before this instant; also the back-off of retries and polls. */
  not_before: Date;
  lease_holder: string | null;
  /** Failed tries of the present step, for its back-off. */
  attempts: Generated<number>;
  drawing_at: Date | null;
  finishing_at: Date | null;
  completed_at: Date | null;
  /** Its owner shows it to nobody else. */
  hidden_at: Date | null;
  /** It is gone for everybody: prompt and picture are taken out, the row stays for the credits. */
  deleted_at: Date | null;
  created_at: Date;
  /** The last change that its viewers can see; leases and polls do not count. */
  updated_at: Date;
  /** Grows with every change of the row (kept by a trigger). */
  revision: ColumnType<number, never, never>;
}

/** Webhook deliveries that were recorded, so that a repeat changes nothing. Kept for a day. */
export interface GenerationWebhookTable {
  delivery_id: string;
  received_at: Date;
}

/** Prompts that our own rules refused, for admins. Kept for 90 days. */
export interface ModerationRefusalTable {
  id: string;
  user_id: string;
  creator_id: string;
  category: ModerationCategory;
  prompt: string;
  created_at: Date;
}

/** What somebody reported of an image, for admins. One a user and image. */
export interface GenerationReportTable {
  id: string;
  generation_id: string;
  creator_id: string;
  /** Who reported it. */
  user_id: string;
  reason: ReportReason;
  /** In their words; empty when they added none. */
  note: string;
  /** As it was then: deleting the image does not take it out of the report. */
  prompt: string;
  created_at: Date;
  resolved_at: Date | null;
  resolved_by: string | null;
  resolution: ReportResolution | null;
}

export interface GenerationTables {
  generation: GenerationTable;
  generation_report: GenerationReportTable;
  moderation_refusal: ModerationRefusalTable;
  generation_webhook: GenerationWebhookTable;
}

export type GenerationRow = Selectable<GenerationTable>;
