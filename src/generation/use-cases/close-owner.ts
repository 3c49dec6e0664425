import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { ClosedOwners } from '../closed-owners.js';
import { DeletedMedia } from '../images/deleted-media.js';

/**
 * Hides all generations of a user whose account is closed, deletes their files, so that no address of a picture
 * answers, and refuses new generations. The rows keep the names of the files until the erasure, which deletes what
 * could not be deleted here. Repeating it changes nothing.
 */
export class CloseOwner extends CommandOf<{ readonly userId: string }, void> {}

/** Images whose files are deleted at the same time. */
const AT_ONCE = 50;

@CommandHandler(CloseOwner)
export class CloseOwnerHandler implements ICommandHandler<CloseOwner> {
  constructor(
    private readonly owners: ClosedOwners,
    private readonly media: DeletedMedia,
  ) {}

  async execute({ input: { userId } }: CloseOwner): Promise<void> {
    const rows = await this.owners.close(userId);
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      await Promise.all(rows.slice(from, from + AT_ONCE).map((row) => this.media.removeFiles(row)));
    }
  }
}
