import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type CreatorEarning } from '../../contract/revenue.js';
import { type PageAt, QueryOf } from '../../platform/messages.js';
import { ListCreatorEarnings } from '../../revenue/index.js';
import { GetGenerations } from './get-generations.js';

/** A creator's earnings one by one with their images, the latest first. Fans are not named. */
export class GetCreatorEarnings extends QueryOf<
  PageAt & {
    readonly creatorId: string;
    /** False: without prompts and images. */
    readonly showImages: boolean;
    /** UTC, YYYY-MM; null: all. */
    readonly month: string | null;
  },
  CreatorEarning[]
> {}

@QueryHandler(GetCreatorEarnings)
export class GetCreatorEarningsHandler implements IQueryHandler<GetCreatorEarnings> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ input: { showImages, ...wanted } }: GetCreatorEarnings): Promise<CreatorEarning[]> {
    const { items, count } = await this.queries.execute(new ListCreatorEarnings(wanted));
    const generationIds = items.map(({ generation_id: generationId }) => generationId);
    const found = await this.queries.execute(new GetGenerations({ generationIds }));
    const generations = new Map(found.map((generation) => [generation.id, generation]));
    return items.map((item): CreatorEarning => {
      const generation = generations.get(item.generation_id);
      const shown = showImages && generation?.hidden === false ? generation : null;
      return {
        ...item,
        prompt: shown?.prompt ?? null,
        image: shown?.image ?? null,
        ordered_at: generation?.createdAt.toISOString() ?? null,
        total_count: count,
      };
    });
  }
}
