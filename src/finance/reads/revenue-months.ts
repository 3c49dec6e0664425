import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type BookMonth, type RevenueMonths } from '../../contract/finance.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';
import { POSTED } from './balances.js';
import { startOf } from './book-sums.js';

/** Revenue by month, the latest first. @param before months before this one (YYYY-MM); null: all */
export class ListRevenueMonths extends Query<RevenueMonths> {
  constructor(readonly input: { readonly limit: number; readonly before: string | null }) {
    super();
  }
}

@QueryHandler(ListRevenueMonths)
export class ListRevenueMonthsHandler implements IQueryHandler<ListRevenueMonths> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { limit, before } }: ListRevenueMonths): Promise<RevenueMonths> {
    const now = this.clock.now();
    const cents = (...accounts: number[]) =>
      sql`coalesce(sum(cents) filter (where account = any(${accounts}::smallint[])), 0)::bigint`;
    const credits = (account: number) => sql`coalesce(sum(credits) filter (where account = ${account}), 0)::bigint`;
    // A row for each account and month: the deferred revenue is a sum over all months before.
    const { rows } = await sql<BookMonth & { month_count: number }>`
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
      ), closed as (
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
      select * from closed where month < ${before ?? '9999-12'} order by month desc limit ${limit}`.execute(this.db);
    const months = rows.map(({ month_count: _count, ...month }) => month);
    return { at: now.toISOString(), months, month_count: rows[0]?.month_count ?? 0 };
  }
}
