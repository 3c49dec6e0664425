import { QueryHandler } from '@nestjs/cqrs';
import { type ExpressionBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type Application } from '../../contract/applications.js';
import { DomainError } from '../../platform/domain-error.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';
import { toConsentRecord } from './consent-record.js';
import { selectRecords, toAdminCreator } from './creator-record.js';

/** The newest entries of each list. */
const ENTRIES_SHOWN = 50;

/** An applicant or creator, as far as the tables of this context know them. */
export type StoredApplication = Pick<
  Application,
  'creator' | 'own' | 'applications' | 'consent' | 'decisions' | 'questions' | 'similar'
>;

/**
 * An applicant or creator, with applications, consent, decisions, questions, and others with the same handle or
 * address.
 * @throws DomainError notFound
 */
export class GetApplication extends QueryOf<
  { readonly creatorId: string; readonly adminId: string },
  StoredApplication
> {}

@QueryHandler(GetApplication)
export class GetApplicationHandler extends ReadHandler<CreatorTables, GetApplication> {
  async execute({ input: { creatorId, adminId } }: GetApplication): Promise<StoredApplication> {
    const row = await selectRecords(this.db)
      .where('creator.id', '=', creatorId)
      .select((select) => [
        applications(select).as('applications'),
        consent(select).as('consent'),
        decisions(select).as('decisions'),
        questions(select).as('questions'),
        similar(select).as('similar'),
      ])
      .executeTakeFirst();
    if (!row) throw new DomainError('notFound', 'There is no such creator.');
    return {
      creator: toAdminCreator(row),
      own: row.clerk_id === adminId,
      applications: row.applications.map((each) => ({ ...each, applied_at: iso(each.applied_at) })),
      consent: row.consent.map((each) => toConsentRecord({ ...each, at: new Date(each.at) })),
      decisions: row.decisions.map((each) => ({ ...each, at: iso(each.at) })),
      questions: row.questions.map((each) => ({
        ...each,
        asked_at: iso(each.asked_at),
        answered_at: each.answered_at && iso(each.answered_at),
      })),
      similar: row.similar,
    };
  }
}

type FromCreator = ExpressionBuilder<CreatorTables, 'creator'>;

/** Instants inside JSON have the database's form. */
function iso(instant: Date | string): string {
  return new Date(instant).toISOString();
}

function applications(select: FromCreator) {
  return jsonArrayFrom(
    select
      .selectFrom('creator_application as application')
      .select(['application.name', 'application.email', 'application.instagram', 'application.applied_at'])
      .whereRef('application.creator_id', '=', 'creator.id')
      .orderBy('application.applied_at', 'desc')
      .limit(ENTRIES_SHOWN),
  );
}

function consent(select: FromCreator) {
  return jsonArrayFrom(
    select
      .selectFrom('creator_consent as act')
      .select(['act.id', 'act.kind', 'act.at', 'act.terms_version', 'act.terms_sha256', 'act.terms_url'])
      .select(['act.method_of_acceptance', 'act.accepted_text_snapshot', 'act.user_agent', 'act.email'])
      .whereRef('act.clerk_id', '=', 'creator.clerk_id')
      .orderBy('act.number', 'desc')
      .limit(ENTRIES_SHOWN),
  );
}

function decisions(select: FromCreator) {
  return jsonArrayFrom(
    select
      .selectFrom('creator_decision as decision')
      .select(['decision.kind', 'decision.actor_id as by', 'decision.decided_at as at', 'decision.reason'])
      .select(['decision.identity_verified', 'decision.age_verified', 'decision.instagram_verified', 'decision.model'])
      .whereRef('decision.creator_id', '=', 'creator.id')
      .orderBy('decision.number', 'desc')
      .limit(ENTRIES_SHOWN),
  );
}

function questions(select: FromCreator) {
  return jsonArrayFrom(
    select
      .selectFrom('creator_question as asked')
      .select(['asked.id', 'asked.question', 'asked.asked_at', 'asked.answer', 'asked.answered_at'])
      .whereRef('asked.creator_id', '=', 'creator.id')
      .orderBy('asked.asked_at', 'desc')
      .limit(ENTRIES_SHOWN),
  );
}

function similar(select: FromCreator) {
  const handle = sql<boolean>`(other.instagram <> '' and lower(other.instagram) = lower(creator.instagram))`;
  const email = sql<boolean>`(other.email <> '' and lower(other.email) = lower(creator.email))`;
  return jsonArrayFrom(
    select
      .selectFrom('creator as other')
      .select(['other.id as creator_id', 'other.name', 'other.username'])
      .select(sql<string>`other.creator_status`.as('creator_status'))
      .select(sql<'instagram' | 'email'>`case when ${handle} then 'instagram' else 'email' end`.as('same'))
      .where((where) => where.or([handle, email]))
      .whereRef('other.id', '<>', 'creator.id')
      .orderBy('other.created_at', 'desc')
      .limit(20),
  );
}
