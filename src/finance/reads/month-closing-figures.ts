import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type MonthClose, type MonthClosing as MonthClosingAnswer } from '../../contract/finance.js';
import { changesOf, figuresText } from '../closing/book-figures.js';
import { MonthClosing } from '../closing/month-closing.js';
import { type FinanceTables, type MonthCloseTable } from '../tables.js';
import { toSides } from './trial-balance.js';

/** The figures that the close of the first open month would fix, and what prevents it. */
export class GetMonthClosing extends Query<MonthClosingAnswer> {}

@QueryHandler(GetMonthClosing)
export class GetMonthClosingHandler implements IQueryHandler<GetMonthClosing> {
  constructor(private readonly closing: MonthClosing) {}

  async execute(): Promise<MonthClosingAnswer> {
    const state = await this.closing.state();
    const refusal = this.closing.refusal(state)?.message;
    const obstacle = refusal ?? (state.next === null ? null : this.closing.lag(state.next, state));
    const figures = state.next === null ? null : await this.closing.figures(state.next);
    const accounts = figures?.accounts ?? [];
    return {
      month: state.next,
      obstacle,
      processor_is_known: accounts.some(({ account, cents }) => account.source === 'processor' && cents !== null),
      open_transactions: state.openTransactions,
      open_cents: state.openCents,
      ...toSides(accounts),
      creator_share: figures?.creatorShare ?? null,
      figures: figures ? figuresText(figures) : '',
    };
  }
}

/** The close of a month, or else the newest wish to close it; null: there is none. One statement. */
export async function readMonthClose(db: Kysely<FinanceTables>, month: string): Promise<MonthClose | null> {
  const { rows } = await sql<Omit<MonthCloseTable, 'id'> & { name: string | null }>`
    select found.*, u.name from (
      (select month, '' as figures, closed_by as asked_by, closed_at as asked_at, 'closed' as state,
        null as found, null as obstacle from book_closed_month where month = ${month})
      union all
      (select month, figures, asked_by, asked_at, state, found, obstacle from month_close where month = ${month}
       order by asked_at desc, id desc limit 1)
    ) as found left join app_user u on u.id = found.asked_by and u.deleted_at is null
    order by found.figures = '' desc limit 1`.execute(db);
  const [close] = rows;
  if (!close) return null;
  const { state, asked_at, asked_by, name: asked_by_name, obstacle, figures, found } = close;
  const changes = found === null ? [] : changesOf(figures, found);
  return { month, state, asked_at: asked_at.toISOString(), asked_by, asked_by_name, obstacle, changes };
}
