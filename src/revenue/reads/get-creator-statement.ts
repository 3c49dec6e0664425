import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type CreatorStatement } from '../../contract/revenue.js';
import { onlyRow } from '../../platform/database/bulk-rows.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { addMonths, monthName, startOfMonth } from '../months.js';
import { type MonthFigures } from '../creator-months.js';
import { type RevenueTables } from '../tables.js';
import { monthFigures } from './get-creator-analytics.js';

/** The statement of a month (YYYY-MM). Zeros for an unknown creator. */
export class GetCreatorStatement extends QueryOf<
  { readonly creatorId: string; readonly month: string },
  Omit<CreatorStatement, 'creator_name'>
> {}

interface StatementRow {
  readonly figures: MonthFigures | null;
  readonly days: CreatorStatement['days'];
}

@QueryHandler(GetCreatorStatement)
export class GetCreatorStatementHandler extends ReadHandler<RevenueTables, GetCreatorStatement> {
  async execute({ input: { creatorId, month } }: GetCreatorStatement): Promise<Omit<CreatorStatement, 'creator_name'>> {
    const now = this.clock.now();
    const from = startOfMonth(month);
    const until = startOfMonth(addMonths(month, 1));
    const found = await sql<StatementRow>`
      select (select row_to_json(figures) from (${monthFigures(creatorId, month)}) as figures) as figures,
        (select coalesce(json_agg(days order by day), '[]') from (
           select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day,
             count(*) filter (where kind = 'earning' and line = 0) as paid_generations,
             coalesce(sum(creator_cents) filter (where kind = 'earning'), 0) as earnings_cents,
             coalesce(sum(creator_cents) filter (where kind = 'correction'), 0) as corrections_cents,
             coalesce(sum(creator_cents) filter (where kind = 'restoration'), 0) as restorations_cents
           from creator_earning
           where creator_id = ${creatorId} and occurred_at >= ${from} and occurred_at < ${until} and not own_generation
           group by 1
         ) as days) as days`.execute(this.db);
    const { figures, days } = onlyRow(found);
    const total = figures?.creator_cents ?? 0;
    const corrections = figures?.correction_cents ?? 0;
    const restorations = figures?.restoration_cents ?? 0;
    return {
      creator_id: creatorId,
      month,
      month_name: monthName(month),
      complete: now >= until,
      paid_generations: figures?.paid_generations ?? 0,
      free_generations: figures?.free_generations ?? 0,
      earnings_cents: total - corrections - restorations,
      corrections_cents: corrections,
      restorations_cents: restorations,
      total_cents: total,
      days,
      made_at: now.toISOString(),
    };
  }
}
