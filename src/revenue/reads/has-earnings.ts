import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { onlyRow } from '../../platform/database/bulk-rows.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type RevenueTables } from '../tables.js';

/** Whether a creator has ever earned anything. Own images are revenue of the platform and earn nothing. */
export class HasEarnings extends QueryOf<{ readonly creatorId: string }, boolean> {}

@QueryHandler(HasEarnings)
export class HasEarningsHandler extends ReadHandler<RevenueTables, HasEarnings> {
  async execute({ input: { creatorId } }: HasEarnings): Promise<boolean> {
    const found = await sql<{ earned: boolean }>`
      select exists (
        select from creator_revenue_month where creator_id = ${creatorId} and paid_generations > 0
      ) as earned`.execute(this.db);
    return onlyRow(found).earned;
  }
}
