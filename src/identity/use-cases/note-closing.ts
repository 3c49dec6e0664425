import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { type IdentityTables } from '../tables.js';

/** Records that the erasure of deleted users has begun. `ListDeletedUsers` no longer lists them. */
export class NoteClosing extends CommandOf<{ readonly userIds: readonly string[] }, void> {}

@CommandHandler(NoteClosing)
export class NoteClosingHandler implements ICommandHandler<NoteClosing> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<IdentityTables>,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { userIds } }: NoteClosing): Promise<void> {
    await this.db
      .updateTable('app_user')
      .set({ closing_began_at: this.clock.now() })
      .where('id', '=', sql<string>`any(${[...userIds]}::text[])`)
      .where('closing_began_at', 'is', null)
      .execute();
  }
}
