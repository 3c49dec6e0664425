import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type GenerationStatusRow } from '../../contract/generation.js';
import { DATABASE } from '../../platform/database/database.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationTables } from '../tables.js';
import { isHidden } from '../visibility.js';

/**
 * The public status of a generation by its prediction id. Only the owner gets the image address, and only the owner
 * finds a hidden one or a test. Empty when there is none.
 */
export class GetGenerationStatus extends Query<GenerationStatusRow[]> {
  constructor(
    readonly input: {
      readonly predictionId: string;
      /** Null for visitors. */
      readonly viewerId: string | null;
    },
  ) {
    super();
  }
}

@QueryHandler(GetGenerationStatus)
export class GetGenerationStatusHandler implements IQueryHandler<GetGenerationStatus> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

  async execute({ input: { predictionId, viewerId } }: GetGenerationStatus): Promise<GenerationStatusRow[]> {
    const row = await this.db
      .selectFrom('generation')
      .select(['status', 'image', 'user_id', 'hidden_at', 'deleted_at', 'is_test'])
      .where('prediction_id', '=', predictionId)
      .where(ownerIsOpen)
      .executeTakeFirst();
    if (!row || row.deleted_at !== null) return [];
    const isOwner = row.user_id === viewerId;
    if (isHidden(row) && !isOwner) return [];
    const imageUrl = isOwner ? (row.image?.url ?? null) : null;
    return [{ prediction_id: predictionId, status: row.status, image_url: imageUrl }];
  }
}
