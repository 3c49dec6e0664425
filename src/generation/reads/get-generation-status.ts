import { QueryHandler } from '@nestjs/cqrs';
import { type GenerationStatusRow } from '../../contract/generation.js';
import { GetCreator } from '../../creators/index.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationTables } from '../tables.js';
import { isHidden, shownImage } from '../images/visibility.js';

/**
 * The public status of a generation by its prediction id. Only the owner gets the image address, and only the owner
 * finds a hidden one, a test, or one of a withdrawn creator. Empty when there is none.
 */
export class GetGenerationStatus extends QueryOf<
  {
    readonly predictionId: string;
    /** Null for visitors. */
    readonly viewerId: string | null;
  },
  GenerationStatusRow[]
> {}

@QueryHandler(GetGenerationStatus)
export class GetGenerationStatusHandler extends ReadHandler<GenerationTables, GetGenerationStatus> {
  async execute({ input: { predictionId, viewerId } }: GetGenerationStatus): Promise<GenerationStatusRow[]> {
    const row = await this.db
      .selectFrom('generation')
      .select(['status', 'image', 'user_id', 'creator_id', 'is_test'])
      .select(['hidden_at', 'taken_down_at', 'moderated_at', 'moderation', 'deleted_at'])
      .where('prediction_id', '=', predictionId)
      .where(ownerIsOpen)
      .executeTakeFirst();
    if (!row || row.deleted_at !== null) return [];
    const isOwner = row.user_id === viewerId;
    if (!isOwner && (isHidden(row) || (await this.hasWithdrawn(row.creator_id)))) return [];
    const imageUrl = isOwner ? (shownImage(row, { isAdmin: false })?.url ?? null) : null;
    return [{ prediction_id: predictionId, status: row.status, image_url: imageUrl }];
  }

  private async hasWithdrawn(creatorId: string): Promise<boolean> {
    return (await this.queries.execute(new GetCreator({ creatorId })))?.withdrawn ?? false;
  }
}
