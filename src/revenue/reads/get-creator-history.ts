import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type CreatorMonthlyHistory } from '../../contract/revenue.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { completeMonths, type MonthFigures } from '../creator-months.js';
import { monthOf } from '../months.js';
import { type RevenueTables } from '../tables.js';
import { monthFigures } from './get-creator-analytics.js';

/** The complete months of a creator, the last one first. Empty for an unknown creator. */
export class GetCreatorHistory extends Query<CreatorMonthlyHistory> {
  constructor(readonly input: { readonly creatorId: string; readonly monthsBack: number }) {
    super();
  }
}

@QueryHandler(GetCreatorHistory)
export class GetCreatorHistoryHandler implements IQueryHandler<GetCreatorHistory> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<RevenueTables>,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { creatorId, monthsBack } }: GetCreatorHistory): Promise<CreatorMonthlyHistory> {
    const { rows } = await sql<MonthFigures>`${monthFigures(creatorId)}`.execute(this.db);
    return { monthly_breakdown: completeMonths(rows, monthOf(this.clock.now()), monthsBack) };
  }
}
