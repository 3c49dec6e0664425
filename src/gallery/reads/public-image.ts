import { type QueryBus } from '@nestjs/cqrs';
import { type GalleryItem } from '../../contract/gallery.js';
import { type GenerationSummary, GetGenerations } from '../../generation/index.js';

/** The image of a generation as the public sees it. Null when it is unfinished, hidden or gone. */
export function toPublicImage(generation: GenerationSummary | undefined): Omit<GalleryItem, 'total_count'> | null {
  if (generation?.status !== 'completed' || !generation.image || generation.hidden) return null;
  return {
    id: generation.id,
    status: 'completed',
    prompt: generation.prompt,
    image_url: generation.image.url,
    image: generation.image,
    creator_id: generation.creatorId,
    created_at: generation.createdAt.toISOString(),
  };
}

/** Generations by id. Unknown ids are left out. */
export async function generationsById(
  queries: QueryBus,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GenerationSummary>> {
  if (ids.length === 0) return new Map();
  const generations = await queries.execute(new GetGenerations({ generationIds: ids }));
  return new Map(generations.map((generation) => [generation.id, generation]));
}
