import { Command, CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { HideGeneration } from '../../generation/index.js';
import { takeOutOwnImage } from './take-out-own-image.js';

/**
 * Hides an image for its owner, or shows it again. A hidden image leaves the gallery.
 * @throws DomainError notFound for another owner's image, conflict when there is no image yet
 */
export class HideCreation extends Command<void> {
  constructor(readonly input: { readonly userId: string; readonly generationId: string; readonly hidden: boolean }) {
    super();
  }
}

@CommandHandler(HideCreation)
export class HideCreationHandler implements ICommandHandler<HideCreation> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  async execute({ input: { userId, generationId, hidden } }: HideCreation): Promise<void> {
    if (hidden) await takeOutOwnImage({ commands: this.commands, queries: this.queries }, { userId, generationId });
    await this.commands.execute(new HideGeneration({ userId, generationId, hidden }));
  }
}
