import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type DeferredRevenue } from '../../contract/finance.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { startOfMonth } from '../../revenue/index.js';
import { type FinanceTables } from '../tables.js';
import { beginningOf } from './balances.js';
import { checkedMonth } from './periods.js';

/** The value of unspent paid credits at the end of a month (null: now), by the month of their purchase. */
export class GetDeferredRevenue extends QueryOf<string | null, DeferredRevenue> {}

@QueryHandler(GetDeferredRevenue)
export class GetDeferredRevenueHandler extends ReadHandler<FinanceTables, GetDeferredRevenue> {
  /** @throws DomainError invalid for a month in the future, or before the first entry */
  async execute({ input: wanted }: GetDeferredRevenue): Promise<DeferredRevenue> {
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
  const start = startOfMonth(from);
  const end = startOfMonth(to);
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
}
