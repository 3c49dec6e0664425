import { QueryHandler } from '@nestjs/cqrs';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type GenerationTables } from '../tables.js';

/** An image and the creator in whose gallery it may be. */
export interface OwnedImage {
  readonly generationId: string;
  readonly creatorId: string;
}

/** The finished images of a user that are not deleted, also of a closed account. */
export class ListImagesOfOwner extends QueryOf<{ readonly userId: string }, readonly OwnedImage[]> {}

@QueryHandler(ListImagesOfOwner)
export class ListImagesOfOwnerHandler extends ReadHandler<GenerationTables, ListImagesOfOwner> {
  async execute({ input: { userId } }: ListImagesOfOwner): Promise<readonly OwnedImage[]> {
    return this.db
      .selectFrom('generation')
      .select(['id as generationId', 'creator_id as creatorId'])
      .where('user_id', '=', userId)
      .where('status', '=', 'completed')
      .where('deleted_at', 'is', null)
      .execute();
  }
}
