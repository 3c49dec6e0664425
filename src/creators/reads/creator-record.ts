import { type Kysely } from 'kysely';
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
    id: row.id,
    name: row.name,
    username: row.username,
    bio: row.bio,
    profile_image: row.profile?.url ?? null,
    instagram: row.instagram,
    twitter: row.twitter,
    onlyfans: row.onlyfans,
    email: row.email,
    creator_status: row.creator_status,
    is_visible: row.is_visible,
    is_featured: row.is_featured,
    deployment_name: row.deployment_name,
    lora_id: row.lora_id,
    created_at: row.created_at.toISOString(),
    clerk_id: row.clerk_id,
    paused_at: row.paused_at?.toISOString() ?? null,
    withdrawn_at: row.withdrawn_at?.toISOString() ?? null,
    applied_at: row.applied_at?.toISOString() ?? null,
    decided_at: row.decided_at?.toISOString() ?? null,
    rejection_reason: rejectedAt && row.reason,
    reapply_at: rejectedAt && reapplyAt(rejectedAt).toISOString(),
  };
}

export function toAdminCreator(row: RecordRow): AdminCreator {
  return { ...toOwnCreator(row), profile: row.profile };
}
