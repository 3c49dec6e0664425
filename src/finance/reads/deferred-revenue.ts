import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type DeferredRevenue } from '../../contract/finance.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { startOfMonth } from '../../revenue/index.js';
import { type FinanceTables } from '../tables.js';
import { beginningOf } from './balances.js';
import { checkedMonth } from './periods.js';

/** The value of unspent paid credits at the end of a month, by the month of their purchase. @param month null: now */
export class GetDeferredRevenue extends Query<DeferredRevenue> {
  constructor(readonly month: string | null) {
    super();
  }
}

@QueryHandler(GetDeferredRevenue)
export class GetDeferredRevenueHandler implements IQueryHandler<GetDeferredRevenue> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError invalid for a month in the future, or before the first entry */
  async execute({ month: wanted }: GetDeferredRevenue): Promise<DeferredRevenue> {
    const times = { now: this.clock.now(), beginsAt: await beginningOf(this.db) };
    const { month, at } = checkedMonth(wanted, times);
    const { rows } = await sql<{ bought_month: string; cents: number; credits: number }>`
      select bought_month, -sum(cents)::bigint as cents, -sum(credits)::bigint as credits
      from book_deferred_month where month <= ${month}
      group by bought_month having sum(cents) <> 0 or sum(credits) <> 0 order by bought_month`.execute(this.db);
    const ages = rows.map((row) => ({ ...row, age_months: monthsBetween(row.bought_month, month) }));
    const sum = (value: 'cents' | 'credits'): number => ages.reduce((total, age) => total + age[value], 0);
    return { month, at: at.toISOString(), cents: sum('cents'), credits: sum('credits'), ages };
  }
}

function monthsBetween(from: string, to: string): number {
  const [start, end] = [startOfMonth(from), startOfMonth(to)];
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
}
