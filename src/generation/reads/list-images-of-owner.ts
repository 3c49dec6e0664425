import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type GenerationTables } from '../tables.js';

/** An image and the creator in whose gallery it may be. */
export interface OwnedImage {
  readonly generationId: string;
  readonly creatorId: string;
}

/** The finished images of a user that are not deleted, also of a closed account. */
export class ListImagesOfOwner extends Query<readonly OwnedImage[]> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

@QueryHandler(ListImagesOfOwner)
export class ListImagesOfOwnerHandler implements IQueryHandler<ListImagesOfOwner> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

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
