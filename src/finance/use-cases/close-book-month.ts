import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type MonthClose } from '../../contract/finance.js';
import { type Actor } from '../../platform/acts/actor.js';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { IdGenerator } from '../../platform/ids.js';
import { checkNext, MonthClosing } from '../closing/month-closing.js';
import { readMonthClose } from '../reads/month-closing-figures.js';
import { type FinanceTables } from '../tables.js';
import { MonthCloser } from '../workers/month-closer.js';

/**
 * Asks to close a month of the books with the figures that the person saw. The worker closes it. A month that is closed
 * stays as it is, and one that another person has asked for waits for that person's close.
 * @throws DomainError invalid for a month before the books; conflict for one that has not ended, or follows an open one
 */
export class CloseBookMonth extends CommandOf<
  { readonly month: string; readonly figures: string; readonly by: Actor },
  MonthClose
> {}

@CommandHandler(CloseBookMonth)
export class CloseBookMonthHandler implements ICommandHandler<CloseBookMonth> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly closing: MonthClosing,
    private readonly closer: MonthCloser,
    private readonly acts: Acts,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input }: CloseBookMonth): Promise<MonthClose> {
    const { month } = input;
    const known = await readMonthClose(this.db, month);
    if (known?.state === 'closed' || known?.state === 'waiting') return known;
    const state = await this.closing.state();
    checkNext(month, state.next, this.clock.now());
    const refusal = this.closing.refusal(state);
    if (refusal) throw refusal;
    await this.ask(input);
    this.closer.wake();
    const asked = await readMonthClose(this.db, month);
    if (!asked) throw new Error(`The close of ${month} was not stored.`);
    return asked;
  }

  /** Stores the wish and announces its act, unless another one of the month waits or was carried out. */
  private async ask({ month, figures, by }: CloseBookMonth['input']): Promise<void> {
    const id = this.ids.next();
    await this.db.transaction().execute(async (transaction) => {
      const { rows } = await sql`
        insert into month_close (id, month, figures, asked_by, asked_at)
        select ${id}::uuid, ${month}, ${figures}, ${by.userId}, ${this.clock.now()}
        where not exists (select from book_closed_month where month = ${month})
        on conflict (month) where state = 'waiting' do nothing returning id`.execute(transaction);
      if (rows.length === 0) return;
      const act = {
        ...({ kind: 'books.month_closed', actor: by, subject: { kind: 'book_month', id: month } } as const),
        after: { month },
      };
      await this.acts.announce(act, id, transaction);
    });
  }
}
