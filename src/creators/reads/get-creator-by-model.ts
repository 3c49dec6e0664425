import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';
import { type Creator, toCreator } from './creator.js';

/** The creator that owns a model, by deployment name or version. Null when no creator owns it. */
export class GetCreatorByModel extends Query<Creator | null> {
  constructor(readonly input: { readonly model: string }) {
    super();
  }
}

@QueryHandler(GetCreatorByModel)
export class GetCreatorByModelHandler implements IQueryHandler<GetCreatorByModel> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { model } }: GetCreatorByModel): Promise<Creator | null> {
    const row = await this.db
      .selectFrom('creator')
      .selectAll()
      .where((where) => where.or([where('deployment_name', '=', model), where('lora_id', '=', model)]))
      .executeTakeFirst();
    return row ? toCreator(row) : null;
  }
}
