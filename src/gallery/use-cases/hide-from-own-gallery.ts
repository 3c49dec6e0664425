import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { GetGeneration } from '../../generation/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { ownCreator } from '../own-creator.js';
import { SetAside } from '../set-aside.js';

/**
 * Takes an image in the style of the creator that a user is out of the gallery at once, or puts it back where it was.
 * Until then no admin can bring it back.
 * @throws DomainError forbidden for fans, notFound for other images
 */
export class HideFromOwnGallery extends Command<void> {
  constructor(readonly input: { readonly userId: string; readonly generationId: string; readonly hidden: boolean }) {
    super();
  }
}

@CommandHandler(HideFromOwnGallery)
export class HideFromOwnGalleryHandler implements ICommandHandler<HideFromOwnGallery> {
  constructor(
    private readonly queries: QueryBus,
    private readonly aside: SetAside,
  ) {}

  async execute({ input: { userId, generationId, hidden } }: HideFromOwnGallery): Promise<void> {
    const { id: creatorId } = await ownCreator(this.queries, userId);
    const generation = await this.queries.execute(new GetGeneration({ generationId }));
    if (generation?.creatorId !== creatorId || generation.status !== 'completed') {
      throw new DomainError('notFound', CONTROL_MESSAGES.imageNotFound);
    }
    const image = { creatorId, generationId, actorId: userId };
    await (hidden ? this.aside.add(image, 'hidden_at') : this.aside.remove(image, 'hidden_at'));
  }
}
