import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval, Timeout } from '@nestjs/schedule';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { BackgroundWork } from './background-work.js';
import { Clock } from './clock.js';
import { DATABASE } from './database/database.js';

const INTERVAL_MS = 2_000;

/** The condition that work of a kind is due at this instant, such as `exists (select …)` on a partial index. */
export type DueCondition = (now: Date) => RawBuilder<boolean>;

interface Kind {
  readonly isDue: DueCondition;
  readonly start: () => unknown;
}

/**
 * Starts the work of rows that have become due: retries, and what a killed process has left. At start and every two
 * seconds one statement looks for all kinds, so an idle process makes one transaction and not one for each kind.
 */
@Injectable()
export class DueWork implements OnModuleDestroy {
  private readonly logger = new Logger(DueWork.name);
  private readonly kinds: Kind[] = [];
  private readonly looking = new BackgroundWork(
    () => this.look(),
    (error) => this.logger.error('Looking for due work failed; it is retried in two seconds.', { error }),
  );

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<unknown>,
    private readonly clock: Clock,
  ) {}

  /** Starts the work whenever it is due, in processes that do scheduled work. `start` handles its own errors. */
  add(isDue: DueCondition, start: () => unknown): void {
    this.kinds.push({ isDue, start });
  }

  /** The first look, once the app has started. */
  @Timeout('due-work-start', 0)
  start(): Promise<void> {
    return this.run();
  }

  async onModuleDestroy(): Promise<void> {
    await this.looking.stop();
  }

  /** Looks once. Joins a look that is in progress. */
  @Interval('due-work', INTERVAL_MS)
  run(): Promise<void> {
    return this.looking.run();
  }

  private async look(): Promise<void> {
    const now = this.clock.now();
    const conditions = sql.join(this.kinds.map(({ isDue }) => isDue(now)));
    const { rows } = await sql<{ due: readonly boolean[] }>`select array[${conditions}] as due`.execute(this.db);
    this.kinds.forEach(({ start }, index) => rows[0]?.due[index] && start());
  }
}
