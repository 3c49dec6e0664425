import { type CommandBus, type QueryBus } from '@nestjs/cqrs';
import { GetGeneration, MESSAGES } from '../../generation/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { TakeOutOfGalleries } from './take-out-of-galleries.js';

/**
 * Takes an image out of the gallery for its owner, before it is hidden or deleted. After a crash between the two steps,
 * the same request completes the work.
 * @throws DomainError notFound for another owner's image, conflict for one that an admin has taken down
 */
export async function takeOutOwnImage(
  buses: { readonly commands: CommandBus; readonly queries: QueryBus },
  { userId, generationId }: { readonly userId: string; readonly generationId: string },
): Promise<void> {
  const generation = await buses.queries.execute(new GetGeneration({ generationId }));
  if (generation?.userId !== userId) throw new DomainError('notFound', MESSAGES.notFound);
  // It keeps its place, because the decision can be undone.
  if (generation.takenDown) throw new DomainError('conflict', MESSAGES.imageTakenDown, { code: '55000' });
  const { creatorId } = generation;
  await buses.commands.execute(new TakeOutOfGalleries({ creatorId, image: { generationId, actorId: userId } }));
}
