import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { ImageRows } from '../rows/image-rows.js';
import { MESSAGES } from '../messages.js';
import { isOwn } from '../images/visibility.js';
import { DeletedMedia } from '../images/deleted-media.js';

/**
 * Deletes an ended generation for its owner. Its prompt and files are erased and no one sees it again. The credits do
 * not change: a finished image is not refunded, and a failed generation still is.
 * @throws DomainError notFound for another owner's generation, conflict while it is pending or an admin has taken it
 *   down
 */
export class DeleteGeneration extends CommandOf<{ readonly userId: string; readonly generationId: string }, void> {}

@CommandHandler(DeleteGeneration)
export class DeleteGenerationHandler implements ICommandHandler<DeleteGeneration> {
  constructor(
    private readonly rows: ImageRows,
    private readonly media: DeletedMedia,
  ) {}

  async execute({ input: { userId, generationId } }: DeleteGeneration): Promise<void> {
    const deleted = await this.rows.remove(generationId, userId);
    if (deleted) {
      await this.media.remove(deleted);
      return;
    }
    const row = await this.rows.find(generationId);
    if (!isOwn(row, userId)) throw new DomainError('notFound', MESSAGES.notFound);
    if (row.moderation === 'taken_down') throw new DomainError('conflict', MESSAGES.imageTakenDown, { code: '55000' });
    throw new DomainError('conflict', MESSAGES.deletePending, { code: '55000' });
  }
}
