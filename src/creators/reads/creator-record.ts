import { type Kysely } from 'kysely';
import { wireFields } from '../../platform/wire-fields.js';
import { type AdminCreator, type OwnCreator } from '../../contract/creators.js';
import { reapplyAt } from '../decide-application.js';
import { type CreatorTables } from '../tables.js';

/** Creators with their last application and the decision about it, for a read that adds its condition. */
export function selectRecords(db: Kysely<CreatorTables>) {
  return db
    .selectFrom('creator')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('creator_decision')
          .select(['reason', 'decided_at'])
          .whereRef('creator_decision.creator_id', '=', 'creator.id')
          .where('creator.creator_status', '<>', 'pending')
          .where('kind', 'in', ['approved', 'rejected'])
          .orderBy('number', 'desc')
          .limit(1)
          .as('review'),
      (join) => join.onTrue(),
    )
    .selectAll('creator')
    .select(['review.reason', 'review.decided_at'])
    .select((row) =>
      row
        .selectFrom('creator_application')
        .select('applied_at')
        .whereRef('creator_application.creator_id', '=', 'creator.id')
        .orderBy('applied_at', 'desc')
        .limit(1)
        .as('applied_at'),
    );
}

type RecordRow = Awaited<ReturnType<ReturnType<typeof selectRecords>['execute']>>[number];

/** A creator's private record, for its owner and admins only. */
export function toOwnCreator(row: RecordRow): OwnCreator {
  const rejectedAt = row.creator_status === 'rejected' ? row.decided_at : null;
  return {
    ...wireFields(row, ['id', 'name', 'username', 'bio']),
    profile_image: row.profile?.url ?? null,
    ...wireFields(row, ['instagram', 'twitter', 'onlyfans', 'email', 'creator_status', 'is_visible', 'is_featured']),
    ...wireFields(row, ['deployment_name', 'lora_id', 'created_at', 'clerk_id', 'paused_at', 'withdrawn_at']),
    ...wireFields(row, ['applied_at', 'decided_at']),
    rejection_reason: rejectedAt && row.reason,
    reapply_at: rejectedAt && reapplyAt(rejectedAt).toISOString(),
  };
}

export function toAdminCreator(row: RecordRow): AdminCreator {
  return { ...toOwnCreator(row), profile: row.profile };
}
