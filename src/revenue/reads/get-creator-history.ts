import { QueryHandler } from '@nestjs/cqrs';
import { type CreatorMonthlyHistory } from '../../contract/revenue.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { completeMonths } from '../creator-months.js';
import { monthOf } from '../months.js';
import { type RevenueTables } from '../tables.js';
import { readMonthFigures } from './get-creator-analytics.js';

/** The complete months of a creator, the last one first. Empty for an unknown creator. */
export class GetCreatorHistory extends QueryOf<
  { readonly creatorId: string; readonly monthsBack: number },
  CreatorMonthlyHistory
> {}

@QueryHandler(GetCreatorHistory)
export class GetCreatorHistoryHandler extends ReadHandler<RevenueTables, GetCreatorHistory> {
  async execute({ input: { creatorId, monthsBack } }: GetCreatorHistory): Promise<CreatorMonthlyHistory> {
    const months = await readMonthFigures(this.db, creatorId);
    return { monthly_breakdown: completeMonths(months, monthOf(this.clock.now()), monthsBack) };
  }
}
