import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type ImageInfo } from '../../contract/media.js';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { GetCreator } from '../../creators/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { ImageRows } from '../rows/image-rows.js';
import { MESSAGES } from '../messages.js';
import { isOwn } from '../images/visibility.js';
import { HiddenMedia } from '../images/hidden-media.js';

/**
 * Hides a finished image from everyone but its owner and admins, or shows it again to everyone with the link. The files
 * of a hidden image get new addresses.
 * @returns the image with its addresses
 * @throws DomainError notFound for another owner's generation, conflict for a test, when there is no image, or to show
 *   an image of a creator who has withdrawn or asked for its take-down
 */
export class HideGeneration extends Command<ImageInfo | null> {
  constructor(readonly input: { readonly userId: string; readonly generationId: string; readonly hidden: boolean }) {
    super();
  }
}

@CommandHandler(HideGeneration)
export class HideGenerationHandler implements ICommandHandler<HideGeneration> {
  constructor(
    private readonly rows: ImageRows,
    private readonly media: HiddenMedia,
    private readonly queries: QueryBus,
  ) {}

  async execute({ input: { userId, generationId, hidden } }: HideGeneration): Promise<ImageInfo | null> {
    if (!hidden) await this.requireShowable(generationId, userId);
    const changed = await (hidden ? this.media.hide(generationId, userId) : this.rows.show(generationId, userId));
    if (changed) return changed.image;
    const row = await this.rows.find(generationId);
    if (!isOwn(row, userId)) throw new DomainError('notFound', MESSAGES.notFound);
    const reason = row.is_test ? MESSAGES.testIsPrivate : MESSAGES.hideUnfinished;
    throw new DomainError('conflict', reason, { code: '55000' });
  }

  /** Images of a withdrawn creator stay hidden, as do those that the creator or an admin hides. */
  private async requireShowable(generationId: string, userId: string): Promise<void> {
    const row = await this.rows.find(generationId);
    if (!isOwn(row, userId)) return;
    if (row.moderation === 'taken_down') throw new DomainError('conflict', MESSAGES.imageTakenDown, { code: '55000' });
    if (row.moderated_at !== null) throw new DomainError('conflict', MESSAGES.imageHiddenByAdmin, { code: '55000' });
    if (row.taken_down_at !== null) throw new DomainError('conflict', CONTROL_MESSAGES.takenDown, { code: '55000' });
    const creator = await this.queries.execute(new GetCreator({ creatorId: row.creator_id }));
    if (creator?.withdrawn) throw new DomainError('conflict', MESSAGES.creatorWithdrawn, { code: '55000' });
  }
}
