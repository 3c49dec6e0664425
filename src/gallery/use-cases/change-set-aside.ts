import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Transaction } from 'kysely';
import { CommandOf } from '../../platform/messages.js';
import { SetAside, type SetAsideReason } from '../set-aside.js';
import { type GalleryTables } from '../tables.js';

/**
 * Keeps an image out of its creator's gallery or returns it to its place, in the caller's transaction: for decisions of
 * admins.
 */
export class ChangeSetAside extends CommandOf<
  {
    readonly transaction: Transaction<GalleryTables>;
    readonly creatorId: string;
    readonly generationId: string;
    readonly actorId: string;
    /** Reasons that begin. They are stored before the others end, so the image does not return in between. */
    readonly add: readonly SetAsideReason[];
    readonly remove: readonly SetAsideReason[];
  },
  void
> {}

@CommandHandler(ChangeSetAside)
export class ChangeSetAsideHandler implements ICommandHandler<ChangeSetAside> {
  constructor(private readonly aside: SetAside) {}

  async execute({ input: { transaction, add, remove, ...image } }: ChangeSetAside): Promise<void> {
    await this.aside.change(transaction, image, { add, remove });
  }
}
