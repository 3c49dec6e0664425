import { Command, CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type ImageInfo } from '../../contract/media.js';
import { HideGeneration } from '../../generation/index.js';
import { takeOutOwnImage } from './take-out-own-image.js';

/**
 * Hides an image for its owner, or shows it again. A hidden image leaves the gallery.
 * @returns the image; hiding gives its files new addresses
 * @throws DomainError notFound for another owner's image, conflict when there is no image yet
 */
export class HideCreation extends Command<ImageInfo | null> {
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

  async execute({ input: { userId, generationId, hidden } }: HideCreation): Promise<ImageInfo | null> {
    if (hidden) await takeOutOwnImage({ commands: this.commands, queries: this.queries }, { userId, generationId });
    return this.commands.execute(new HideGeneration({ userId, generationId, hidden }));
  }
}
