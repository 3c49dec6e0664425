import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { PAYOUT_RECORD_YEARS } from '../../contract/closing.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { deletePortraitFiles } from '../portrait-files.js';
import { type CreatorTables } from '../tables.js';

/** Name of every creator whose account is closed. */
const FORMER_CREATOR = 'Former creator';

/**
 * Erases the personal fields of a creator whose account is closed: portrait, name, address, username, handles, texts
 * and blocked words, also in the applications, questions, decisions and records of consent, whose times, versions and
 * hashes stay. The row keeps its id, the user's id and the model, because earnings, consent and the model's deletion
 * refer to them. With earnings, name and e-mail move to the payout record, and the payout details stay, for
 * `PAYOUT_RECORD_YEARS`. Repeating it changes nothing.
 */
export class EraseCreator extends CommandOf<{ readonly creatorId: string; readonly hasEarnings: boolean }, void> {}

@CommandHandler(EraseCreator)
export class EraseCreatorHandler implements ICommandHandler<EraseCreator> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly storage: FileStorage,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { creatorId, hasEarnings } }: EraseCreator): Promise<void> {
    const row = await this.db.selectFrom('creator').selectAll().where('id', '=', creatorId).executeTakeFirst();
    if (!row) return;
    await deletePortraitFiles(this.storage, row.profile);
    const now = this.clock.now();
    const keptUntil = new Date(now);
    keptUntil.setUTCFullYear(now.getUTCFullYear() + PAYOUT_RECORD_YEARS);
    await this.db
      .with('payee', (db) =>
        db
          .insertInto('creator_payout_record')
          .columns(['creator_id', 'name', 'email', 'kept_until'])
          .expression((select) =>
            select
              .selectFrom('creator')
              .select(['id', 'name', 'email', sql<Date>`${keptUntil}::timestamptz`.as('kept_until')])
              .where('id', '=', creatorId)
              .where('email', '<>', '')
              .where(sql<boolean>`${hasEarnings}::boolean`),
          )
          .onConflict((conflict) => conflict.doNothing()),
      )
      .with('closed', (db) =>
        db
          .selectFrom('creator')
          .select(['id', 'clerk_id'])
          .where('id', '=', creatorId)
          .where('closed_at', 'is not', null),
      )
      .with('consent', (db) =>
        db
          .updateTable('creator_consent')
          .set({ email: null, user_agent: null })
          .where('clerk_id', 'in', (select) => select.selectFrom('closed').select('closed.clerk_id')),
      )
      .with('applications', (db) =>
        db
          .updateTable('creator_application')
          .set({ name: '', email: '', instagram: '' })
          .where('creator_id', 'in', (select) => select.selectFrom('closed').select('closed.id')),
      )
      .with('decisions', (db) =>
        db
          .updateTable('creator_decision')
          .set({ reason: null, identity_verified: null, age_verified: null, instagram_verified: null, salt: null })
          .where('creator_id', 'in', (select) => select.selectFrom('closed').select('closed.id')),
      )
      .with('questions', (db) =>
        db
          .updateTable('creator_question')
          .set({ question: '', answer: sql<string | null>`case when answer is not null then '' end` })
          .where('creator_id', 'in', (select) => select.selectFrom('closed').select('closed.id')),
      )
      .with('terms', (db) =>
        db
          .deleteFrom('creator_blocked_term')
          .where('creator_id', 'in', (select) => select.selectFrom('closed').select('closed.id')),
      )
      // With earnings, payout details stay with the payout record.
      .with('details', (db) =>
        db
          .deleteFrom('creator_payout_details')
          .where('creator_id', 'in', (select) => select.selectFrom('closed').select('closed.id'))
          .where(sql<boolean>`not ${hasEarnings}::boolean`),
      )
      .with('changes', (db) =>
        db
          .deleteFrom('creator_payout_change')
          .where('creator_id', 'in', (select) => select.selectFrom('closed').select('closed.id'))
          .where(sql<boolean>`not ${hasEarnings}::boolean`),
      )
      .updateTable('creator')
      .set({
        username: `former-${creatorId}`,
        name: FORMER_CREATOR,
        email: '',
        instagram: '',
        twitter: null,
        onlyfans: null,
        bio: '',
        style: null,
        profile: null,
        updated_at: now,
      })
      .where('id', '=', creatorId)
      .where('closed_at', 'is not', null)
      .execute();
  }
}
