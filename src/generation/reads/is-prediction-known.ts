import { QueryHandler } from '@nestjs/cqrs';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type GenerationTables } from '../tables.js';

/** Whether any generation, deleted ones included, has this prediction. */
export class IsPredictionKnown extends QueryOf<{ readonly predictionId: string }, boolean> {}

@QueryHandler(IsPredictionKnown)
export class IsPredictionKnownHandler extends ReadHandler<GenerationTables, IsPredictionKnown> {
  async execute({ input: { predictionId } }: IsPredictionKnown): Promise<boolean> {
    const row = await this.db
      .selectFrom('generation')
      .select('id')
      .where('prediction_id', '=', predictionId)
      .executeTakeFirst();
    return row !== undefined;
  }
}
