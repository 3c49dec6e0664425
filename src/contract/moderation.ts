import { REPORT_REASONS, type ReportReason } from './generation.js';
import { type ImageInfo } from './media.js';
import { type Count, type Credits, type Instant } from './scalars.js';

/** Calls of admins about images that fans report, creators want taken down, or the moderator refused. */

/** Hours within which a decision can be undone. The files of an image that is taken down are deleted after that. */
export const UNDO_HOURS = 24;
/** Images that are taken down after which a fan is suspended without a further decision. */
export const STRIKES_TO_SUSPEND = 3;
/** Days of the suspension that strikes cause. */
export const STRIKE_SUSPENSION_DAYS = 30;
/** Longest note of a decision, in UTF-16 units. */
export const DECISION_NOTE_MAX_LENGTH = 500;
/** Largest goodwill grant to a reporter or maker. */
export const GOODWILL_MAX_CREDITS = 100;

/** `details` of a start or a checkout that is refused because the caller is suspended (403). */
export const SUSPENDED = 'suspended';

/** Texts for a suspended fan. */
export const SUSPENSION_MESSAGES = {
  /** {until}: a day in words. */
  until: 'Your account cannot generate images until {until}.',
  forGood: 'Your account cannot generate images.',
  appeal:
    'If you think this is a mistake, write to support and name the image. An admin who has not decided it reads your appeal within 7 days.',
} as const;

export const CASE_KINDS = ['report', 'take_down', 'refusal'] as const;
/** `report`: all open reports of one image. */
export type CaseKind = (typeof CASE_KINDS)[number];

export const CASE_REASONS = [...REPORT_REASONS, 'creator_request', 'real_people'] as const;
export type CaseReason = (typeof CASE_REASONS)[number];

/** A row of `list_moderation_cases`. */
export interface ModerationCaseRow {
  readonly kind: CaseKind;
  /** The image of a report; otherwise the request or the refusal. */
  readonly id: string;
  readonly reason: CaseReason;
  /** Open reports of the image; 1 for the others. */
  readonly reports: Count;
  /** The image; null for refusals of our own rules. */
  readonly generation_id: string | null;
  readonly creator_id: string;
  readonly creator_name: string;
  readonly image: ImageInfo | null;
  readonly opened_at: Instant;
  /** 48 hours after the request of a take-down; null for the others. */
  readonly due_at: Instant | null;
  readonly overdue: boolean;
  /** A report of sexual content or minors. */
  readonly urgent: boolean;
  readonly decision: CaseDecision | null;
  readonly decided_at: Instant | null;
  /** At most 10,000. */
  readonly total_count: Count;
}

export const CASE_DECISIONS = ['keep', 'hide', 'take_down'] as const;
/** `keep`: reports are closed, a requested take-down is refused, a refusal is confirmed. */
export type CaseDecision = (typeof CASE_DECISIONS)[number];

/** `get_moderation_case` */
export interface ModerationCase extends Omit<ModerationCaseRow, 'total_count'> {
  readonly prompt: string;
  readonly created_at: Instant;
  readonly delivered_at: Instant | null;
  /** Its cost and earnings. Null for refusals. */
  readonly paid_with: {
    readonly credits: Credits;
    readonly paid_credits: Credits;
    readonly creator_cents: Count;
    readonly refunded: boolean;
  } | null;
  readonly shown: 'gallery' | 'link' | 'hidden' | 'nowhere';
  /** Files of the image. */
  readonly files: Count;
  readonly maker: {
    /** Null once the owner is unknown. */
    readonly user_id: string | null;
    readonly images: Count;
    /** Earlier reported images of the maker. */
    readonly reported_before: Count;
    readonly strikes: Count;
    readonly suspended: boolean;
    readonly suspended_until: Instant | null;
    /** Moderation refusals of their prompts in the last 30 days. */
    readonly refusals: Count;
  };
  readonly open_reports: readonly {
    readonly id: string;
    readonly reason: ReportReason;
    readonly note: string;
    readonly user_id: string;
    readonly created_at: Instant;
  }[];
  /** The creator's words; null for other kinds. */
  readonly request_reason: string | null;
  /** Acts on this image before, the latest first, at most 20. */
  readonly history: readonly {
    readonly act_id: string;
    readonly kind: string;
    readonly at: Instant;
    readonly by: string;
    readonly reason: string | null;
  }[];
  readonly prompt_blocked: boolean;
  /** The last decision on it while it can be undone. */
  readonly undo: { readonly act_id: string; readonly until: Instant } | null;
}

/** `decide_moderation_case` */
export interface CaseDecided {
  readonly success: true;
  /** For `undo_moderation_act`. */
  readonly act_id: string;
  readonly undo_until: Instant;
  /** Strikes of the maker afterwards. */
  readonly strikes: Count;
  /** The strike suspended the maker. */
  readonly suspended: boolean;
}

/** `get_own_suspension_by_jwt` */
export interface Suspension {
  /** Null: until an admin ends it. */
  readonly until: Instant | null;
  readonly since: Instant;
  readonly reason: string;
}

/** The text for a suspended fan; `until` is null when an admin must end the suspension. */
export function suspensionText(until: Instant | null): string {
  if (until === null) return SUSPENSION_MESSAGES.forGood;
  const day = new Date(until).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return SUSPENSION_MESSAGES.until.replace('{until}', day);
}
