import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type AdminCreator } from '../../contract/creators.js';
import { type Actor } from '../../platform/acts/actor.js';
import { Acts } from '../../platform/acts/acts.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { selectRecords, toAdminCreator } from '../reads/creator-record.js';
import { type CreatorTables } from '../tables.js';

/**
 * Returns an active creator for the admins' view of the dashboard, and records the look in the log of acts.
 * @throws DomainError notFound; conflict for a creator who is not active (creator spec, section 8)
 */
export class ViewCreator extends CommandOf<{ readonly creatorId: string; readonly actor: Actor }, AdminCreator> {}

@CommandHandler(ViewCreator)
export class ViewCreatorHandler implements ICommandHandler<ViewCreator> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly acts: Acts,
  ) {}

  async execute({ input: { creatorId, actor } }: ViewCreator): Promise<AdminCreator> {
    return this.db.transaction().execute(async (transaction) => {
      const row = await selectRecords(transaction).where('creator.id', '=', creatorId).executeTakeFirst();
      if (!row) throw new DomainError('notFound', 'Creator not found or access denied');
      if (row.creator_status !== 'active') {
        const message = `Creator "${row.name}" is not active (status: ${row.creator_status})`;
        throw new DomainError('conflict', message, { code: '55000' });
      }
      const subject = { kind: 'creator', id: creatorId, name: row.name } as const;
      await this.acts.record(transaction, { kind: 'creator.viewed', actor, subject, creatorId });
      return toAdminCreator(row);
    });
  }
}
