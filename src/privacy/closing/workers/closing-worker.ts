import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type ClosingStep } from '../../../contract/closing.js';
import { deletedUserIsDue, ListDeletedUsers, NoteClosing } from '../../../identity/index.js';
import { BackgroundWork } from '../../../platform/background-work.js';
import { Clock } from '../../../platform/clock.js';
import { DueWork } from '../../../platform/due-work.js';
import { FaultPoints } from '../../../platform/fault-points.js';
import { closureIsDue, ClosureRows } from '../closure-rows.js';
import { afterAttempt, ATTEMPTS_BEFORE_ATTENTION, nextStep, type StepOutcome } from '../next-step.js';
import { type ClosureRow } from '../tables.js';
import { StepPerformer } from './perform-step.js';

const USERS_PER_RUN = 20;

/** A guard against an endless loop: no closure needs more steps in one run. */
const MAX_STEPS = 40;

/**
 * Runs the steps of closures in the background: after an order, at the start and when some are due. Users who were
 * deleted at the identity provider get their closure here.
 */
@Injectable()
export class ClosingWorker implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ClosingWorker.name);
  private readonly work = new BackgroundWork(
    () => this.run(),
    (error) => this.logger.error('Closings could not be continued. The next run is in two seconds.', { error }),
    ClosingWorker.name,
  );
  private stopped = false;

  constructor(
    private readonly rows: ClosureRows,
    private readonly performer: StepPerformer,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly faults: FaultPoints,
    private readonly clock: Clock,
    dueWork: DueWork,
  ) {
    dueWork.add(
      (now) => sql<boolean>`(${closureIsDue(now)} or ${deletedUserIsDue(now)})`,
      () => this.wake(),
    );
  }

  /** Starts a run soon. Calling it often is harmless. */
  wake(): void {
    this.work.wake();
  }

  /** Resolves when no closure is being worked on. */
  idle(): Promise<void> {
    return this.work.idle();
  }

  /** Waits for the running step before the connections close. The next start continues with the rest. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.work.stop();
  }

  private async run(): Promise<void> {
    await this.openForDeletedUsers();
    for (const row of await this.rows.claimDue(USERS_PER_RUN)) await this.drive(row);
  }

  private async openForDeletedUsers(): Promise<void> {
    const userIds = await this.queries.execute(new ListDeletedUsers({ limit: USERS_PER_RUN }));
    if (userIds.length === 0) return;
    await this.rows.openForDeleted(userIds);
    // Only now: after a crash between the two, the users are listed again and their closures stay as they are.
    await this.commands.execute(new NoteClosing({ userIds }));
  }

  private async drive(row: ClosureRow): Promise<void> {
    let current = row;
    for (let count = 0; count < MAX_STEPS && !this.stopped; count += 1) {
      const next = nextStep(current.steps, this.clock.now());
      if (next.kind === 'wait') return this.rows.waitUntil(current.id, next.until);
      if (next.kind === 'finish') {
        await this.step('store', () => this.rows.finish(current));
        this.logger.log('An account is closed.', { closureId: current.id });
        return;
      }
      const outcome = await this.attempt(next.step, current);
      const progress = afterAttempt(current.steps[next.step], outcome, this.clock.now());
      const stored = await this.step('store', () => this.rows.storeStep(current, next.step, progress));
      if (!stored) return;
      current = stored;
    }
  }

  private async attempt(step: ClosingStep, row: ClosureRow): Promise<StepOutcome & { readonly error?: string }> {
    try {
      return await this.step(step, () => this.performer.perform(step, row));
    } catch (error) {
      const reason = describeError(error);
      const attempts = (row.steps[step]?.attempts ?? 0) + 1;
      const details = { closureId: row.id, step, attempts, reason };
      // Transient failures are expected; alert when they last. A provider's message may name a person.
      if (attempts < ATTEMPTS_BEFORE_ATTENTION) this.logger.warn('A step of a closing failed. It is retried.', details);
      else this.logger.error('A step of a closing keeps failing. It is retried.', details);
      return { done: false, counts: {}, error: reason };
    }
  }

  private async step<T>(name: ClosingStep | 'store', work: () => Promise<T>): Promise<T> {
    this.faults.reach(`closing.${name}.before`);
    const result = await work();
    this.faults.reach(`closing.${name}.after`);
    return result;
  }
}

/** Class and code of an error. Its message may hold personal data, so it is not stored. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
}
