import { QueryHandler } from '@nestjs/cqrs';
import { type RawBuilder, sql } from 'kysely';
import { type StatementMonth } from '../../contract/admin-users.js';
import { type TransactionType } from '../../contract/credits.js';
import { COUNTED_TO } from '../../contract/limits.js';
import { type CreditTables } from '../../credits/tables.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';

/** The column of a statement to which each transaction belongs. */
const COLUMNS: Readonly<
  Record<TransactionType, keyof Omit<StatementMonth, 'month' | 'opening' | 'closing' | 'total_count'>>
> = {
  signup_bonus: 'granted',
  daily_grant: 'granted',
  bonus_grant: 'granted',
  purchase: 'bought',
  purchase_reinstatement: 'bought',
  deduction: 'spent',
  refund: 'refunded',
  expiry: 'lapsed',
  purchase_reversal: 'taken',
  debt_repayment: 'taken',
  adjustment: 'taken',
  waiver: 'taken',
};

/** A page of an account's months, the latest first, from its newest 10,000 transactions. One statement. */
export class ListUserStatement extends QueryOf<PageAt & { readonly userId: string }, StatementMonth[]> {}

@QueryHandler(ListUserStatement)
export class ListUserStatementHandler extends ReadHandler<CreditTables, ListUserStatement> {
  async execute({ input: { userId, limit, offset } }: ListUserStatement): Promise<StatementMonth[]> {
    const { rows } = await sql<StatementMonth>`
      with lines as (
        select version, to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, transaction_type, amount,
          balance_after
        from credit_transaction where user_id = ${userId} order by version desc limit ${sql.lit(COUNTED_TO)}
      )
      select month, (array_agg(balance_after - amount order by version))[1]::int as opening,
        ${sumOf('granted')}, ${sumOf('bought')}, ${sumOf('spent')}, ${sumOf('refunded')}, ${sumOf('lapsed')},
        ${sumOf('taken')}, (array_agg(balance_after order by version desc))[1]::int as closing,
        (count(*) over ())::int as total_count
      from lines group by month order by month desc limit ${limit} offset ${offset}`.execute(this.db);
    return rows;
  }
}

function sumOf(column: (typeof COLUMNS)[TransactionType]): RawBuilder<unknown> {
  const types = Object.entries(COLUMNS).flatMap(([type, its]) => (its === column ? [type] : []));
  return sql`coalesce(sum(amount) filter (where transaction_type = any(${types}::text[])), 0)::int as ${sql.id(column)}`;
}
