import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type GenerationTables } from '../tables.js';

/** Whether any generation, deleted ones included, has this prediction. */
export class IsPredictionKnown extends Query<boolean> {
  constructor(readonly input: { readonly predictionId: string }) {
    super();
  }
}

@QueryHandler(IsPredictionKnown)
export class IsPredictionKnownHandler implements IQueryHandler<IsPredictionKnown> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

  async execute({ input: { predictionId } }: IsPredictionKnown): Promise<boolean> {
    const row = await this.db
      .selectFrom('generation')
      .select('id')
      .where('prediction_id', '=', predictionId)
      .executeTakeFirst();
    return row !== undefined;
  }
}
