import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';
import { Acts } from '../../platform/acts/acts.js';
import { Scheduled, ScheduledWorker } from '../../platform/scheduled-worker.js';
import { DATABASE } from '../../platform/database/database.js';
import { WrongExpectedVersionError } from '../../platform/event-store/event-store.js';
import { Locks } from '../../platform/locks.js';
import { Authenticator } from '../../platform/principal.js';
import { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import { changesOf, closeOf, figuresText } from '../closing/book-figures.js';
import { MonthClosing } from '../closing/month-closing.js';
import { ProcessorStore } from '../processor/processor-store.js';
import { processorProjection } from '../reads/processor-projection.js';
import { type FinanceTables, type MonthCloseTable } from '../tables.js';

const INTERVAL_MS = 10_000;
const LOCK = 'month-closer';

type Ended = Partial<Pick<MonthCloseTable, 'state' | 'found' | 'obstacle'>>;

/**
 * Closes the months that people have asked to close: at once when it is woken, and every ten seconds, on one instance.
 * It closes a month with the figures that the person saw, or ends the wish with those that it has found. What lags
 * behind is waited for. A transaction of the processor that is recorded first is among the figures of the next try.
 */
@Injectable()
@Scheduled('month-closer', INTERVAL_MS, { fromStart: true })
export class MonthCloser extends ScheduledWorker {
  protected override readonly failure = 'A month could not be closed. The next try is in ten seconds.';

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly closing: MonthClosing,
    private readonly store: ProcessorStore,
    private readonly projections: ProjectionRunner,
    private readonly authenticator: Authenticator,
    private readonly acts: Acts,
    private readonly locks: Locks,
  ) {
    super();
  }

  protected override work(): Promise<unknown> {
    return this.locks.withLock(LOCK, () => this.closeAll());
  }

  private async closeAll(): Promise<void> {
    if (this.stopped) return;
    const waiting = this.db.selectFrom('month_close').selectAll().where('state', '=', 'waiting').orderBy('month');
    for (const close of await waiting.execute()) {
      while (!this.stopped && (await this.carryOut(close)) === 'again');
    }
  }

  /** @returns `again` when an event came first */
  private async carryOut(close: MonthCloseTable): Promise<'again' | undefined> {
    const { id, month, asked_by: actorId } = close;
    const lag = this.closing.lag(month, await this.closing.state());
    if (lag !== null) return this.note(close, { obstacle: lag });
    if (!(await this.closing.areProjected())) {
      return this.note(close, { obstacle: 'The books do not have all events yet.' });
    }
    const head = await this.closing.head();
    const { next } = await this.closing.state();
    const figures = await this.closing.figures(month);
    const found = figuresText(figures);
    if (changesOf(close.figures, found).length > 0) return this.refuse(close, { state: 'changed', found });
    // Another close came first, or this one did before its process died. The reconciler knows, and ends the act.
    if (next !== month) return this.note(close, next !== null && month < next ? { state: 'closed' } : {});
    const roles = await this.authenticator.rolesOf(actorId, { fresh: true });
    if (!roles.has('finance') && !roles.has('admin')) {
      const message = 'The person who asked may not close months any more.';
      return this.refuse(close, { state: 'refused', obstacle: message });
    }
    try {
      const origin = { actorId, causationId: id };
      const { events } = await this.store.append(head, [closeOf(month, figures)], origin);
      await this.acts.end(id, { state: 'done', events, after: { month } });
      await this.projections.catchUp(processorProjection.name);
      return await this.note(close, { state: 'closed' });
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) return 'again';
      throw error;
    }
  }

  /** Ends a wish that has caused no event now. */
  private async refuse(close: MonthCloseTable, ended: Ended): Promise<undefined> {
    await this.acts.end(close.id, { state: 'refused' });
    return this.note(close, ended);
  }

  private async note({ id }: MonthCloseTable, ended: Ended): Promise<undefined> {
    await this.db
      .updateTable('month_close')
      .set({ obstacle: null, ...ended })
      .where('id', '=', id)
      .execute();
  }
}
