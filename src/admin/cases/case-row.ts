import { type RawBuilder, sql } from 'kysely';
import { type ImageInfo } from '../../contract/media.js';
import {
  type CaseDecision,
  type CaseKind,
  type CaseReason,
  type ModerationCaseRow,
} from '../../contract/moderation.js';

/** A row of the queue with its image and creator. */
export interface StoredCase {
  readonly kind: CaseKind;
  readonly id: string;
  readonly reason: CaseReason;
  readonly rank: number;
  readonly reports: number;
  readonly generation_id: string | null;
  readonly creator_id: string;
  readonly creator_name: string;
  readonly image: ImageInfo | null;
  readonly opened_at: Date;
  readonly due_at: Date | null;
  readonly decision: CaseDecision | null;
  readonly decided_at: Date | null;
}

/** The case as the wire has it, without the count. */
export function toCaseRow(row: StoredCase, now: Date): Omit<ModerationCaseRow, 'total_count'> {
  return {
    kind: row.kind,
    id: row.id,
    reason: row.reason,
    reports: row.reports,
    generation_id: row.generation_id,
    creator_id: row.creator_id,
    creator_name: row.creator_name,
    image: row.image,
    opened_at: row.opened_at.toISOString(),
    due_at: row.due_at?.toISOString() ?? null,
    overdue: row.decision === null && row.due_at !== null && row.due_at < now,
    urgent: row.rank === 0,
    decision: row.decision,
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}

/** The creator's id in a row of the queue, where it is stored as text. Null for a malformed one. */
export function creatorUuid(table: string): RawBuilder<string | null> {
  const id = sql.ref(`${table}.creator_id`);
  return sql`case when ${id} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${id}::uuid end`;
}
