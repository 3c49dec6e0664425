import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { ClosedOwners } from '../closed-owners.js';
import { type GenerationTables } from '../tables.js';
import { DeletedMedia } from '../workers/deleted-media.js';

/**
 * Hides all generations of a user whose account is closed, deletes their files, so that no address of a picture
 * answers, and refuses new generations. The rows keep the names of the files until the erasure, which deletes what
 * could not be deleted here. Repeating it changes nothing.
 */
export class CloseOwner extends Command<void> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

/** Images whose files are deleted at the same time. */
const AT_ONCE = 50;

@CommandHandler(CloseOwner)
export class CloseOwnerHandler implements ICommandHandler<CloseOwner> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly owners: ClosedOwners,
    private readonly media: DeletedMedia,
  ) {}

  async execute({ input: { userId } }: CloseOwner): Promise<void> {
    await this.owners.close(userId);
    const rows = await this.db
      .selectFrom('generation')
      .select(['id', 'image'])
      .where('user_id', '=', userId)
      .where('image', 'is not', null)
      .execute();
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      await Promise.all(rows.slice(from, from + AT_ONCE).map((row) => this.media.removeFiles(row)));
    }
  }
}
