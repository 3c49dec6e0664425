import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type BookMonth, type RevenueMonths } from '../../contract/finance.js';
import { DATABASE } from '../../platform/database/database.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';
import { POSTED } from './balances.js';

/** Revenue by month, the latest first. @param before months before this one (YYYY-MM); null: all */
export class ListRevenueMonths extends Query<RevenueMonths> {
  constructor(readonly input: { readonly limit: number; readonly before: string | null }) {
    super();
  }
}

@QueryHandler(ListRevenueMonths)
export class ListRevenueMonthsHandler implements IQueryHandler<ListRevenueMonths> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<FinanceTables>) {}

  async execute({ input: { limit, before } }: ListRevenueMonths): Promise<RevenueMonths> {
    const cents = (...accounts: number[]) =>
      sql`coalesce(sum(cents) filter (where account = any(${accounts}::smallint[])), 0)::bigint`;
    const credits = (account: number) => sql`coalesce(sum(credits) filter (where account = ${account}), 0)::bigint`;
    // A row for each account and month: the deferred revenue is a sum over all months before.
    const { rows } = await sql<BookMonth & { month_count: number }>`
      with months as (
        select starts_at,
          ${cents(ACCOUNT.receipts)} as sold, ${cents(ACCOUNT.refundsPaid)} as refunded,
          ${cents(ACCOUNT.disputesTaken)} as charged_back, ${cents(ACCOUNT.creatorShare)} as creator,
          ${cents(ACCOUNT.platformRevenue)} as platform, ${credits(ACCOUNT.platformRevenue)} as earned_credits,
          ${cents(ACCOUNT.forfeitedCredits, ACCOUNT.priceRemainders)} as other_income,
          ${cents(ACCOUNT.refundLosses, ACCOUNT.chargebackLosses)} as loss,
          ${cents(ACCOUNT.customerCredits)} as deferred, ${credits(ACCOUNT.customerCredits)} as deferred_credits
        from book_sum where unit = 'month' and account = any(${POSTED}::smallint[]) group by starts_at
      ), closed as (
        select to_char(starts_at at time zone 'UTC', 'YYYY-MM') as month, sold as sold_cents,
          -(creator + platform) as recognised_cents, -earned_credits as recognised_credits,
          -creator as creator_cents, -platform as platform_cents, -refunded as refunded_cents,
          -charged_back as charged_back_cents, -other_income as other_income_cents, loss as loss_cents,
          -(sum(deferred) over so_far)::bigint as deferred_cents,
          -(sum(deferred_credits) over so_far)::bigint as deferred_credits,
          count(*) over ()::integer as month_count
        from months window so_far as (order by starts_at)
      )
      select * from closed where month < ${before ?? '9999-12'} order by month desc limit ${limit}`.execute(this.db);
    const months = rows.map(({ month_count: _count, ...month }) => month);
    return { months, month_count: rows[0]?.month_count ?? 0 };
  }
}
