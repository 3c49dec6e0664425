import { Command, CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { DeleteGeneration } from '../../generation/index.js';
import { takeOutOwnImage } from './take-out-own-image.js';

/**
 * Deletes an image for its owner, and takes it out of the gallery.
 * @throws DomainError notFound for another owner's image
 */
export class DeleteCreation extends Command<void> {
  constructor(readonly input: { readonly userId: string; readonly generationId: string }) {
    super();
  }
}

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
