import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiError } from '../../platform/http/api-error.js';
import { DeletedMedia } from '../workers/deleted-media.js';
import { GenerationRows } from '../generation-rows.js';
import { MESSAGES } from '../messages.js';
import { isOwn } from '../reads/view.js';

/**
 * Deletes a generation that has ended, for good: nobody sees it any more, its prompt and its files are gone. Its credits
 * stay as they are: what was paid for a finished picture is not given back, what failed is still refunded.
 * @throws ApiError when there is none, it is somebody else's, or it is still pending
 */
export class DeleteGeneration extends Command<void> {
  constructor(
    readonly generationId: string,
    readonly ownerId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteGeneration)
export class DeleteGenerationHandler implements ICommandHandler<DeleteGeneration> {
  constructor(
    private readonly rows: GenerationRows,
    private readonly media: DeletedMedia,
  ) {}

  async execute({ generationId, ownerId }: DeleteGeneration): Promise<void> {
    const deleted = await this.rows.remove(generationId, ownerId);
    if (deleted) return this.media.remove(deleted);
    const row = await this.rows.find(generationId);
    if (!isOwn(row, ownerId)) throw new ApiError(404, MESSAGES.notFound);
    throw new ApiError(409, MESSAGES.deletePending, { code: '55000' });
  }
}
