import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type CreatorMonthlyHistory } from '../../contract/revenue.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { completeMonths, type MonthFigures } from '../creator-months.js';
import { monthOf } from '../months.js';
import { type RevenueTables } from '../tables.js';
import { monthFigures } from './get-creator-analytics.js';

/** The complete months of a creator, the last one first. Empty for an unknown creator. */
export class GetCreatorHistory extends QueryOf<
  { readonly creatorId: string; readonly monthsBack: number },
  CreatorMonthlyHistory
> {}

@QueryHandler(GetCreatorHistory)
export class GetCreatorHistoryHandler extends ReadHandler<RevenueTables, GetCreatorHistory> {
  async execute({ input: { creatorId, monthsBack } }: GetCreatorHistory): Promise<CreatorMonthlyHistory> {
    const { rows } = await sql<MonthFigures>`${monthFigures(creatorId)}`.execute(this.db);
    return { monthly_breakdown: completeMonths(rows, monthOf(this.clock.now()), monthsBack) };
  }
}
