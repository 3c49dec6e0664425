import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { Acts } from '../platform/acts/acts.js';
import { DATABASE } from '../platform/database/database.js';
import { type ApplicationData } from './application-form.js';
import { columnsOf, logConsent, type StoredConsent, valuesOf } from './consent.js';
import { type ApplicantState } from './decide-application.js';
import { approvedHandle } from './handles.js';
import { type CreatorTables } from './tables.js';
import { usernameCandidates } from './usernames.js';

/** An application that may be stored. */
export interface NewApplication extends ApplicationData {
  readonly id: string;
  /** The creator's id: a new one, or that of the rejected creator who applies again. */
  readonly creatorId: string;
  readonly userId: string;
  readonly username: string;
  readonly at: Date;
  readonly consent: StoredConsent;
}

/** Reads and stores applications. */
@Injectable()
export class Applicants {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly acts: Acts,
  ) {}

  /** The state that decides about an application, and the username that the creator would have. */
  async find(userId: string, instagram: string): Promise<ApplicantState & { readonly username: string }> {
    const candidates = usernameCandidates(instagram);
    const row = await this.db
      .selectFrom(sql<{ clerk_id: string }>`(select ${userId}::text as clerk_id)`.as('caller'))
      .leftJoin('creator', 'creator.clerk_id', 'caller.clerk_id')
      .select(['creator.id', 'creator.creator_status'])
      .select((select) => [
        select
          .selectFrom('creator_decision')
          .select('decided_at')
          .whereRef('creator_decision.creator_id', '=', 'creator.id')
          .where('kind', '=', 'rejected')
          .orderBy('number', 'desc')
          .limit(1)
          .as('rejected_at'),
        select
          .exists(
            select
              .selectFrom('creator_applicant')
              .whereRef('creator_applicant.clerk_id', '=', 'caller.clerk_id')
              .where('closed_at', 'is not', null),
          )
          .as('closed'),
        select.exists(select.selectFrom('creator').where(approvedHandle(instagram))).as('handle_taken'),
        sql<string[]>`array(select username from creator
          where creator_status = 'active' and username = any(${[...candidates]}::text[]))`.as('taken'),
      ])
      .executeTakeFirstOrThrow();
    const username = candidates.find((name) => !row.taken.includes(name));
    if (username === undefined) throw new Error('All usernames for a handle are taken.');
    const { id, creator_status: status, rejected_at: rejectedAt } = row;
    return {
      creator: id === null || status === null ? null : { id, status, rejectedAt },
      closed: Boolean(row.closed),
      handleTaken: Boolean(row.handle_taken),
      username,
    };
  }

  /**
   * Stores creator, application and consent in one statement, and the consent in the log of acts.
   * @returns false when the account was closed, or another application was stored, in the meantime
   */
  async add({
    id,
    creatorId,
    userId,
    name,
    email,
    instagram,
    username,
    at,
    consent,
  }: NewApplication): Promise<boolean> {
    const creator = {
      name,
      email,
      instagram,
      username,
      creator_status: 'pending',
      state_since: at,
      updated_at: at,
    } as const;
    const added = { id: creatorId, clerk_id: userId, created_at: at, ...creator };
    const application = { id, creator_id: creatorId, name, email, instagram, applied_at: at };
    return this.db.transaction().execute(async (transaction) => {
      const stored = await transaction
        .with('applicant', (db) =>
          db
            .insertInto('creator_applicant')
            .values({ clerk_id: userId, applied_at: at })
            .onConflict((conflict) =>
              conflict
                .column('clerk_id')
                .doUpdateSet({ applied_at: at })
                .where('creator_applicant.closed_at', 'is', null),
            )
            .returning('clerk_id'),
        )
        .with('stored', (db) =>
          db
            .insertInto('creator')
            .columns(columnsOf(added))
            .expression((select) => select.selectFrom('applicant').select((row) => valuesOf(added, row)))
            .onConflict((conflict) =>
              conflict
                .column('clerk_id')
                .doUpdateSet({ ...creator, withdrawn_at: null, paused_at: null, is_visible: true })
                .where('creator.creator_status', '=', 'rejected')
                .whereRef('creator.id', '=', (row) => row.ref('excluded.id')),
            )
            .returning('creator.id'),
        )
        .with('consent', (db) =>
          db
            .insertInto('creator_consent')
            .columns(columnsOf(consent))
            .expression((select) => select.selectFrom('stored').select((row) => valuesOf(consent, row))),
        )
        .insertInto('creator_application')
        .columns(columnsOf(application))
        .expression((select) => select.selectFrom('stored').select((row) => valuesOf(application, row)))
        .returning('id')
        .executeTakeFirst();
      if (stored) await logConsent(this.acts, transaction, consent);
      return stored !== undefined;
    });
  }
}
