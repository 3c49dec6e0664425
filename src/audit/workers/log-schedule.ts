import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Pool } from 'pg';
import { NoteLogReach } from '../../finance/index.js';
import { Scheduled, ScheduledWorker } from '../../platform/scheduled-worker.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { type Records, RECORDS } from '../../platform/storage/records.js';
import { PG_POOL } from '../../platform/database/database.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { Locks } from '../../platform/locks.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { originOf } from '../log/checkpoint.js';
import { LedgerLogError } from '../log/log-store.js';
import { sequenceEvents } from '../log/sequence-events.js';
import { CHECKPOINT_FILE, signCheckpoint } from '../log/sign-checkpoint.js';
import { LedgerKeys } from '../seals/ledger-keys.js';

/** New events are in a checkpoint after a minute at the latest, also when the lock was held at one of the runs. */
const INTERVAL_MS = 20_000;
const LOCK = 'ledger-log';

/**
 * Logs new events and signs a checkpoint of them, on one instance. Each failed run logs an error. A failure does not
 * affect the ledger; a log that does not continue its last checkpoint is not signed.
 */
@Injectable()
@Scheduled('ledger-log', INTERVAL_MS, { fromStart: true })
export class LogSchedule extends ScheduledWorker {
  protected override readonly failure = 'The log of the ledger has no new checkpoint; the worker tries again.';
  private readonly origin: string;
  private readonly file: string;
  private failing = false;

  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly eventStore: EventStore,
    private readonly clock: Clock,
    private readonly locks: Locks,
    private readonly keys: LedgerKeys,
    private readonly commands: CommandBus,
    metrics: Metrics,
    @Inject(RECORDS) private readonly copies: Records | null,
    @Inject(CONFIG) { dataDir, publicUrl }: Config,
  ) {
    super();
    this.origin = originOf(publicUrl);
    this.file = join(dataDir, CHECKPOINT_FILE);
    metrics.gauge({
      name: 'fanvas_ledger_checkpoint_age_seconds',
      help: 'Age of the newest checkpoint of the log; -1 before the first. It grows while there are no new events.',
      shared: true,
      collect: async (gauge) => gauge.set(await this.ageSeconds()),
    });
    metrics.gauge({
      name: 'fanvas_ledger_log_failing',
      help: '1 when the last run of this instance could not log new events or sign them, else 0.',
      collect: (gauge) => gauge.set(this.failing ? 1 : 0),
    });
  }

  protected override failed(error: unknown): void {
    this.failing = true;
    super.failed(error);
  }

  protected override async work(): Promise<void> {
    const { pool, origin, file, copies } = this;
    const done = await this.locks.withLock(LOCK, async () => {
      await this.sequence();
      const key = await this.keys.current();
      const accepted = await this.keys.accepted();
      const signed = await signCheckpoint({ pool, origin, key, accepted, file, copies, now: () => this.clock.now() });
      if (signed) this.logger.log({ message: 'A checkpoint of the ledger was signed.', size: signed.size });
      return true;
    });
    // The run of another process may fail, too.
    if (done) this.failing = false;
  }

  /** Logs new events, and reports to finance up to when the log has all of them. */
  private async sequence(): Promise<void> {
    const { pool, eventStore } = this;
    const until = this.clock.now();
    const stored = await eventStore.lastPosition();
    try {
      const { position } = await sequenceEvents({ pool, eventStore });
      const isComplete = stored !== null && position !== null && eventStore.comparePositions(position, stored) >= 0;
      if (isComplete) await this.commands.execute(new NoteLogReach(until));
    } catch (error) {
      if (error instanceof LedgerLogError) await this.commands.execute(new NoteLogReach(null));
      throw error;
    }
  }

  private async ageSeconds(): Promise<number> {
    const { rows } = await this.pool.query<{ signed_at: Date }>(
      'select signed_at from log_checkpoint order by number desc limit 1',
    );
    return rows[0] ? (this.clock.now().getTime() - rows[0].signed_at.getTime()) / 1000 : -1;
  }
}
