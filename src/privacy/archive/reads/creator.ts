import { type ImageInfo } from '../../../contract/media.js';
import { type PersonalTables } from '../personal-tables.js';

/** A person's own creator profile, consent and income. */
export interface CreatorRecord {
  readonly id: string;
  readonly profile: object;
  readonly portrait: ImageInfo | null;
  readonly applications: readonly object[];
  readonly decisions: readonly object[];
  readonly questions: readonly object[];
  readonly income: readonly object[];
  readonly images: readonly object[];
  readonly payouts: readonly object[];
}

/** The acts of consent of the person, in order: accepted terms, pauses and withdrawals. */
export async function readConsent(db: PersonalTables, userId: string): Promise<readonly object[]> {
  return db
    .selectFrom('creator_consent')
    .select(['kind', 'at', 'terms_version', 'terms_sha256', 'terms_url', 'method_of_acceptance'])
    .select(['accepted_text_snapshot', 'user_agent', 'email'])
    .where('clerk_id', '=', userId)
    .orderBy('number')
    .execute();
}

/**
 * The person's creator; null for fans. Income and images are summed by month: single rows would name the fans.
 */
export async function readCreator(db: PersonalTables, userId: string): Promise<CreatorRecord | null> {
  const row = await db
    .selectFrom('creator')
    .select(['id', 'username', 'name', 'email', 'instagram', 'twitter', 'onlyfans', 'bio', 'style', 'profile'])
    .select(['creator_status', 'is_visible', 'is_featured', 'created_at', 'updated_at'])
    .select(['paused_at', 'withdrawn_at'])
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
  const images = await db
    .selectFrom('creator_activity_month')
    .select(['month', 'paid_generations', 'free_generations', 'new_fans'])
    .where('creator_id', '=', row.id)
    .orderBy('month')
    .execute();
  const payouts = await db
    .selectFrom('payout')
    .select(['step', 'cutoff', 'payable_cents', 'paid_before_cents', 'amount_cents', 'drafted_at', 'fixed_at'])
    .select(['checked_at', 'reference', 'paid_on', 'ended_at'])
    .where('creator_id', '=', row.id)
    .orderBy('drafted_at')
    .execute();
  const applications = await db
    .selectFrom('creator_application')
    .select(['name', 'email', 'instagram', 'applied_at'])
    .where('creator_id', '=', row.id)
    .orderBy('applied_at')
    .execute();
  const decisions = await db
    .selectFrom('creator_decision')
    .select(['kind', 'decided_at', 'reason', 'identity_verified', 'age_verified', 'instagram_verified', 'model'])
    .where('creator_id', '=', row.id)
    .orderBy('number')
    .execute();
  const questions = await db
    .selectFrom('creator_question')
    .select(['question', 'asked_at', 'answer', 'answered_at'])
    .where('creator_id', '=', row.id)
    .orderBy('asked_at')
    .execute();
  return { id: row.id, profile, portrait, applications, decisions, questions, income, images, payouts };
}
