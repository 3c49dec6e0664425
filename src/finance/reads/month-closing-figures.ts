import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type MonthClosing as MonthClosingAnswer } from '../../contract/finance.js';
import { figuresText } from '../closing/book-figures.js';
import { MonthClosing } from '../closing/month-closing.js';
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
