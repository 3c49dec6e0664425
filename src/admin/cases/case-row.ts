import { type RawBuilder, sql } from 'kysely';
import { wireFields } from '../../platform/wire-fields.js';
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
    ...wireFields(row, ['kind', 'id', 'reason', 'reports', 'generation_id', 'creator_id', 'creator_name', 'image']),
    ...wireFields(row, ['opened_at', 'due_at']),
    overdue: row.decision === null && row.due_at !== null && row.due_at < now,
    urgent: row.rank === 0,
    ...wireFields(row, ['decision', 'decided_at']),
  };
}

/** The creator's id in a row that stores it as text. Null for a malformed one. */
export function creatorUuid(table: string): RawBuilder<string | null> {
  const id = sql.ref(`${table}.creator_id`);
  return sql`case when ${id} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${id}::uuid end`;
}
