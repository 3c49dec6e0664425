import { type ImageInfo } from '../../contract/media.js';
import { type PersonalTables } from '../personal-tables.js';

/** A person's own creator profile, consent and income. */
export interface CreatorRecord {
  readonly profile: object;
  readonly portrait: ImageInfo | null;
  readonly income: readonly object[];
}

/** Which versions of the creator terms the person accepted, and when. */
export async function readTermsAcceptances(db: PersonalTables, userId: string): Promise<readonly object[]> {
  return db
    .selectFrom('creator_terms_acceptance')
    .select(['terms_version', 'accepted_at'])
    .where('clerk_id', '=', userId)
    .orderBy('accepted_at')
    .execute();
}

/** The person's creator; null for fans. Income is summed by month: single rows would name the fans who paid. */
export async function readCreator(db: PersonalTables, userId: string): Promise<CreatorRecord | null> {
  const row = await db
    .selectFrom('creator')
    .select(['id', 'username', 'name', 'email', 'instagram', 'twitter', 'onlyfans', 'bio', 'style', 'profile'])
    .select(['creator_status', 'is_visible', 'is_featured', 'created_at', 'updated_at'])
    .where('clerk_id', '=', userId)
    .executeTakeFirst();
  if (!row) return null;
  const { profile: portrait, ...profile } = row;
  const income = await db
    .selectFrom('creator_revenue_month')
    .select(['month', 'paid_generations', 'paid_credits', 'creator_cents', 'platform_cents'])
    .where('creator_id', '=', row.id)
    .orderBy('month')
    .execute();
  return { profile, portrait, income };
}
