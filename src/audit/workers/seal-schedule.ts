import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { type Pool } from 'pg';
import { Scheduled, ScheduledWorker } from '../../platform/scheduled-worker.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { type Records, RECORDS } from '../../platform/storage/records.js';
import { PG_POOL } from '../../platform/database/database.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { Locks } from '../../platform/locks.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import {
  findSealFile,
  lastSeal,
  makeSeal,
  publishSeal,
  SEAL_FOLDER,
  SEAL_LOCK,
  type SealContext,
  type SealRow,
  type SealTargets,
} from '../seals/ledger-seals.js';
import { LedgerKeys } from '../seals/ledger-keys.js';

/** How often the worker checks whether a seal is due or unpublished. */
const INTERVAL_MS = 5 * 60_000;
/** Streams of missing accounts in a log line. */
const STREAMS_LOGGED = 20;
/** Unpublished seals retried in one run. */
const SEALS_PER_RUN = 20;
/** The day is sealed after this time at the latest. Milliseconds. */
const BACKLOG_MS = 120_000;

/**
 * Seals the ledger once a UTC day, on one instance, and publishes the seal to the configured targets. Each failed run
 * logs an error. A failure does not affect the ledger.
 */
@Injectable()
@Scheduled('ledger-seal', INTERVAL_MS, { fromStart: true })
export class SealSchedule extends ScheduledWorker {
  protected override readonly failure = 'The ledger could not be sealed; the worker tries again in five minutes.';
  private readonly context: Omit<SealContext, 'key'>;
  private readonly targets: SealTargets;

  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    eventStore: EventStore,
    private readonly clock: Clock,
    private readonly locks: Locks,
    metrics: Metrics,
    private readonly keys: LedgerKeys,
    @Inject(RECORDS) copies: Records | null,
    @Inject(CONFIG) { dataDir, ledger }: Config,
  ) {
    super();
    this.context = { pool, eventStore, now: () => clock.now(), folder: join(dataDir, SEAL_FOLDER), copies };
    this.targets = { dir: ledger.sealDir, url: ledger.sealUrl, token: ledger.sealToken };
    metrics.gauge({
      name: 'fanvas_ledger_seal_age_seconds',
      help: 'Age of the newest seal of the ledger that has reached all its targets; -1 before the first.',
      shared: true,
      collect: async (gauge) => gauge.set(await this.ageSeconds()),
    });
  }

  protected override async work(): Promise<void> {
    await this.locks.withLock(SEAL_LOCK, async () => {
      const last = await lastSeal(this.pool);
      // The day is sealed even when a target does not accept older seals.
      const { lost, failure } = await this.publishBacklog(last);
      const today = this.clock.now().toISOString().slice(0, 10);
      if (!last || lost || last.sealed_at.toISOString().slice(0, 10) < today) await this.seal();
      if (failure !== null) throw failure;
    });
  }

  private async seal(): Promise<void> {
    const { manifest, file, missing } = await makeSeal({ ...this.context, key: await this.keys.current() });
    const { number, streams, events, merkleRoot } = manifest;
    this.logger.log({ message: 'The ledger was sealed.', number, streams, events, merkleRoot });
    if (missing.length > 0) {
      const message = 'Accounts are not in the seal: their events were deleted in the event store.';
      this.logger.error({ message, number, accounts: missing.length, streams: missing.slice(0, STREAMS_LOGGED) });
    }
    await publishSeal(this.context, number, file, this.targets);
  }

  /**
   * Tries each unpublished seal.
   * @returns `lost`: the newest seal is unpublished and its file is missing on this instance; `failure`: the first
   *   error
   */
  private async publishBacklog(last: SealRow | null): Promise<{ lost: boolean; failure: Error | null }> {
    const { rows } = await this.pool.query<SealRow>(
      'select * from ledger_seal where published_at is null order by number desc limit $1',
      [SEALS_PER_RUN],
    );
    const until = performance.now() + BACKLOG_MS;
    let lost = false;
    let failure: Error | null = null;
    for (const { number, hash } of rows) {
      // An archive that does not answer needs a minute for each. The next run goes on.
      if (this.stopped || performance.now() > until) break;
      try {
        const file = await findSealFile(this.context, { number, hash });
        if (file !== null) await publishSeal(this.context, number, file, this.targets);
        else if (number === last?.number) {
          lost = true;
          const message = 'The newest seal was not published, and its file is missing on this instance: sealing again.';
          this.logger.error({ message, number });
        }
      } catch (error) {
        failure ??= error as Error;
      }
    }
    return { lost, failure };
  }

  private async ageSeconds(): Promise<number> {
    const { rows } = await this.pool.query<{ sealed_at: Date | null }>(
      'select max(sealed_at) as sealed_at from ledger_seal where published_at is not null',
    );
    const sealedAt = rows[0]?.sealed_at;
    return sealedAt ? (this.clock.now().getTime() - sealedAt.getTime()) / 1000 : -1;
  }
}
