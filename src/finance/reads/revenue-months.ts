import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type BookMonth, type DeferredRevenue, type RevenueMonths } from '../../contract/finance.js';
import { type PageBefore, QueryOf, ReadHandler } from '../../platform/messages.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';
import { SETTLED_AFTER_MS } from '../settled.js';
import { beginningOf, POSTED } from './balances.js';
import { startOf } from './book-sums.js';
import { readMonthClose } from './month-closing-figures.js';
import { checkedMonth } from './periods.js';
import { addMonths, startOfMonth } from '../../revenue/index.js';

/** Revenue by month, the latest first. @param before months before this one (YYYY-MM); null: all */
export class ListRevenueMonths extends QueryOf<PageBefore<string>, RevenueMonths> {}

@QueryHandler(ListRevenueMonths)
export class ListRevenueMonthsHandler extends ReadHandler<FinanceTables, ListRevenueMonths> {
  async execute({ input: { limit, before } }: ListRevenueMonths): Promise<RevenueMonths> {
    const now = this.clock.now();
    const cents = (...accounts: number[]) =>
      sql`coalesce(sum(cents) filter (where account = any(${accounts}::smallint[])), 0)::bigint`;
    const credits = (account: number) => sql`coalesce(sum(credits) filter (where account = ${account}), 0)::bigint`;
    // A row for each account and month: the deferred revenue is a sum over all months before.
    const { rows } = await sql<MonthRow>`
      with sums as (
        select starts_at at time zone 'UTC' as month,
          ${cents(ACCOUNT.receipts)} as sold, ${cents(ACCOUNT.refundsPaid)} as refunded,
          ${cents(ACCOUNT.disputesTaken)} as charged_back, ${cents(ACCOUNT.creatorShare)} as creator,
          ${cents(ACCOUNT.platformRevenue)} as platform, ${credits(ACCOUNT.platformRevenue)} as earned_credits,
          ${cents(ACCOUNT.forfeitedCredits, ACCOUNT.priceRemainders)} as other_income,
          ${cents(ACCOUNT.refundLosses, ACCOUNT.chargebackLosses)} as loss,
          ${cents(ACCOUNT.customerCredits)} as deferred, ${credits(ACCOUNT.customerCredits)} as deferred_credits
        from book_sum where unit = 'month' and account = any(${POSTED}::smallint[]) group by starts_at
      ), months as (
        select month from generate_series(
          (select min(month) from sums), ${startOf('month', now)}::timestamptz at time zone 'UTC', interval '1 month'
        ) as month
      ), figures as (
        select to_char(month, 'YYYY-MM') as month,
          coalesce(deferred, 0) - (sum(coalesce(deferred, 0)) over so_far)::bigint as opening_cents,
          coalesce(sold, 0) as sold_cents,
          0 - coalesce(creator + platform, 0) as recognised_cents,
          0 - coalesce(earned_credits, 0) as recognised_credits,
          0 - coalesce(creator, 0) as creator_cents, 0 - coalesce(platform, 0) as platform_cents,
          0 - coalesce(refunded, 0) as refunded_cents, 0 - coalesce(charged_back, 0) as charged_back_cents,
          0 - coalesce(other_income, 0) as other_income_cents, coalesce(loss, 0) as loss_cents,
          0 - (sum(coalesce(deferred, 0)) over so_far)::bigint as deferred_cents,
          0 - (sum(coalesce(deferred_credits, 0)) over so_far)::bigint as deferred_credits,
          count(*) over ()::integer as month_count
        from months left join sums using (month) window so_far as (order by month)
      )
      select figures.*, c.closed_at, c.closed_by, u.name as closed_by_name,
        (select min(month) from figures) as first_month, (select max(month) from book_closed_month) as last_closed
      from figures
      left join book_closed_month c on c.month = figures.month
      left join app_user u on u.id = c.closed_by and u.deleted_at is null
      where figures.month < ${before ?? '9999-12'} order by figures.month desc limit ${limit}`.execute(this.db);
    const months = rows.map(
      ({ month_count: _count, first_month: _first, last_closed: _last, closed_at, ...month }) => ({
        ...month,
        closed_at: closed_at?.toISOString() ?? null,
      }),
    );
    const { month_count = 0, first_month = null, last_closed = null } = rows[0] ?? {};
    const next = last_closed === null ? first_month : addMonths(last_closed, 1);
    const mayClose = next !== null && startOfMonth(addMonths(next, 1)).getTime() + SETTLED_AFTER_MS <= now.getTime();
    const closing = mayClose ? await readMonthClose(this.db, next) : null;
    return { at: now.toISOString(), months, month_count, next_to_close: mayClose ? next : null, closing };
  }
}

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

interface MonthRow extends Omit<BookMonth, 'closed_at'> {
  readonly closed_at: Date | null;
  readonly month_count: number;
  readonly first_month: string;
  readonly last_closed: string | null;
}
