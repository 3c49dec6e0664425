import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Actor } from '../../platform/acts/actor.js';
import { type ActEffect, Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import {
  DuplicateEventError,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from '../../platform/event-store/event-store.js';
import { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import { checkNext, closeOf, type ClosingState, type MonthClose, MonthClosing } from '../closing/month-closing.js';
import { type ProcessorHead, ProcessorStore } from '../processor/processor-store.js';
import { processorProjection } from '../reads/processor-projection.js';

/** Maximum number of attempts. Each one after the first follows a write of another process. */
const MAX_ATTEMPTS = 10;
const WAIT_MS = 2_000;

/**
 * Closes a month of the books with the trial balance of its end. A month that is closed stays as it is.
 * @throws DomainError invalid for a month before the books; conflict for one that has not ended, or follows an open
 *   one; unavailable while the public log or the projections lack events of it
 */
export class CloseBookMonth extends Command<MonthClose> {
  constructor(readonly input: { readonly month: string; readonly by: Actor }) {
    super();
  }
}

/** The state that an attempt has found. */
interface Found {
  readonly head: ProcessorHead;
  readonly state: ClosingState;
}

@CommandHandler(CloseBookMonth)
export class CloseBookMonthHandler implements ICommandHandler<CloseBookMonth> {
  constructor(
    private readonly closing: MonthClosing,
    private readonly store: ProcessorStore,
    private readonly acts: Acts,
    private readonly projections: ProjectionRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { month, by } }: CloseBookMonth): Promise<MonthClose> {
    const found = await this.find(month);
    if (found.state.closed) return found.state.closed;
    const act = {
      ...({ kind: 'books.month_closed', actor: by, subject: { kind: 'book_month', id: month } } as const),
      after: { month },
    };
    return this.acts.perform(act, undefined, (actId) =>
      this.close(month, found, { actorId: by.userId, causationId: actId }),
    );
  }

  /** The close of the month, or what it is decided on. Refuses a month that cannot be closed. */
  private async find(month: string): Promise<Found> {
    const head = await this.closing.head();
    const state = await this.closing.state(month);
    if (state.closed) return { head, state };
    checkNext(month, state.next, this.clock.now());
    const refusal = await this.closing.refusal(state);
    if (refusal) throw refusal;
    return { head, state };
  }

  private async close(
    month: string,
    first: Found,
    origin: { readonly actorId: string; readonly causationId: string },
  ): Promise<ActEffect<MonthClose>> {
    for (let [found, attempts] = [first, 1]; ; attempts += 1, found = await this.find(month)) {
      // Another person was faster, or the answer of an earlier attempt was lost: then the reconciler ends the act.
      if (found.state.closed) return { answer: found.state.closed, events: [] };
      const event = closeOf(month, await this.closing.figures(month));
      try {
        const { events, position, at } = await this.store.append(found.head, [event], origin);
        await this.projections.waitFor(position, { timeoutMs: WAIT_MS, name: processorProjection.name });
        return { answer: { month, closed_at: at, closed_by: origin.actorId }, events, after: { month } };
      } catch (error) {
        const isRepeatable =
          error instanceof WrongExpectedVersionError ||
          error instanceof DuplicateEventError ||
          error instanceof UnknownOutcomeError;
        if (!isRepeatable || attempts === MAX_ATTEMPTS) throw error;
      }
    }
  }
}
