import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiError } from '../../platform/http/api-error.js';
import { GenerationRows } from '../generation-rows.js';
import { MESSAGES } from '../messages.js';
import { isOwn } from '../reads/view.js';

/**
 * Shows a finished generation to nobody but its owner, or to anyone with the link again.
 * @throws ApiError when it is not theirs or has no picture
 */
export class HideGeneration extends Command<void> {
  constructor(
    readonly userId: string,
    readonly generationId: string,
    readonly hidden: boolean,
  ) {
    super();
  }
}

@CommandHandler(HideGeneration)
export class HideGenerationHandler implements ICommandHandler<HideGeneration> {
  constructor(private readonly rows: GenerationRows) {}

  async execute({ userId, generationId, hidden }: HideGeneration): Promise<void> {
    if (await this.rows.hide(generationId, userId, hidden)) return;
    const row = await this.rows.find(generationId);
    if (!isOwn(row, userId)) throw new ApiError(404, MESSAGES.notFound);
    throw new ApiError(409, MESSAGES.hideUnfinished, { code: '55000' });
  }
}
