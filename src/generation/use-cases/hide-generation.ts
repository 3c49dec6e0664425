import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../platform/domain-error.js';
import { GenerationRows } from '../generation-rows.js';
import { MESSAGES } from '../messages.js';
import { isOwn } from '../visibility.js';

/**
 * Hides a finished image from everyone but its owner and admins, or shows it again to everyone with the link.
 * @throws DomainError notFound for another owner's generation, conflict when there is no image
 */
export class HideGeneration extends Command<void> {
  constructor(readonly input: { readonly userId: string; readonly generationId: string; readonly hidden: boolean }) {
    super();
  }
}

@CommandHandler(HideGeneration)
export class HideGenerationHandler implements ICommandHandler<HideGeneration> {
  constructor(private readonly rows: GenerationRows) {}

  async execute({ input: { userId, generationId, hidden } }: HideGeneration): Promise<void> {
    if (await this.rows.hide(generationId, userId, hidden)) return;
    const row = await this.rows.find(generationId);
    if (!isOwn(row, userId)) throw new DomainError('notFound', MESSAGES.notFound);
    throw new DomainError('conflict', MESSAGES.hideUnfinished, { code: '55000' });
  }
}
