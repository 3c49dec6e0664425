import { CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { DeleteGeneration } from '../../generation/index.js';
import { CommandOf } from '../../platform/messages.js';
import { takeOutOwnImage } from './take-out-own-image.js';

/**
 * Deletes an image for its owner, and takes it out of the gallery.
 * @throws DomainError notFound for another owner's image
 */
export class DeleteCreation extends CommandOf<{ readonly userId: string; readonly generationId: string }, void> {}

@CommandHandler(DeleteCreation)
export class DeleteCreationHandler implements ICommandHandler<DeleteCreation> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  async execute({ input: { userId, generationId } }: DeleteCreation): Promise<void> {
    await takeOutOwnImage({ commands: this.commands, queries: this.queries }, { userId, generationId });
    await this.commands.execute(new DeleteGeneration({ userId, generationId }));
  }
}
