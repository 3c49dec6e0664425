import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { GenerationRows } from '../rows/generation-rows.js';
import { isHidden } from '../images/visibility.js';
import { HiddenMedia } from '../images/hidden-media.js';

/** Gives the files of an image that has just been hidden new addresses. `GenerationCleaner` retries what fails. */
export class MoveHiddenFiles extends CommandOf<{ readonly generationId: string }, void> {}

@CommandHandler(MoveHiddenFiles)
export class MoveHiddenFilesHandler implements ICommandHandler<MoveHiddenFiles> {
  constructor(
    private readonly rows: GenerationRows,
    private readonly media: HiddenMedia,
  ) {}

  async execute({ input: { generationId } }: MoveHiddenFiles): Promise<void> {
    const row = await this.rows.find(generationId);
    if (row && row.deleted_at === null && row.media_moved_at === null && isHidden(row)) await this.media.retry(row);
  }
}
