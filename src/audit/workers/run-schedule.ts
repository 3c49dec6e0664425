import { AsyncResource } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';
import { type Pool } from 'pg';
import { Acts } from '../../platform/acts/acts.js';
import { Scheduled, ScheduledWorker } from '../../platform/scheduled-worker.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { type Records, RECORDS } from '../../platform/storage/records.js';
import { DATABASE, PG_POOL } from '../../platform/database/database.js';
import { addressOf } from '../../platform/database/pool.js';
import { Locks } from '../../platform/locks.js';
import { CHECKPOINT_FILE, readCopy } from '../log/sign-checkpoint.js';
import { type RunResult, type RunStart, type RunThread, RunThreads } from '../runs/run-threads.js';
import { endRun, openRun, saveProgress, startRun, type StoredRun } from '../runs/verification-runs.js';
import { LedgerKeys } from '../seals/ledger-keys.js';
import { findSealFile, SEAL_FOLDER, sealsBefore } from '../seals/ledger-seals.js';
import { publicPem } from '../seals/signing-key.js';
import { type KeptCheckpoint } from '../verify/log-audit.js';
import { nullIfMissing } from '../../platform/storage/missing-file.js';

/** A run that was interrupted, or requested while another one ended, starts after this time at the latest. */
const INTERVAL_MS = 30_000;
const LOCK = 'ledger-verification-run';
/** Seals whose file is looked for, the newest first. */
const SEALS_SEARCHED = 100;
/** A run that never ends, such as one that ends the process, is not started more often. */
const MAX_STARTS = 5;
/** Problems in a log line. */
const PROBLEMS_LOGGED = 5;

const FAILED = 'The verification failed. The log of the server has the cause.';
const OUT_OF_MEMORY = 'The verification needs more memory than the app gives it. Run npm run ledger -- verify.';
const INTERRUPTED = `The verification was started ${MAX_STARTS} times and never ended. Run npm run ledger -- verify.`;

/**
 * Runs the full verifications that auditors request, one at a time and on one instance, in a thread of its own. A run
 * that was interrupted is started again. A failure does not affect the ledger.
 */
@Injectable()
@Scheduled('ledger-verification-run', INTERVAL_MS)
export class RunSchedule extends ScheduledWorker {
  protected override readonly failure = 'A full verification of the ledger could not be run; trying again.';
  private thread: RunThread | null = null;
  /**
   * Performs a run that was just requested, in the background. In no request: the time of a request for the database
   * does not limit the run. A process without the worker leaves it to the schedule of one with it.
   */
  readonly begin = AsyncResource.bind(() => {
    if (this.config.roles.worker) void this.tick();
  });

  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    @Inject(DATABASE) readonly db: Kysely<object>,
    readonly acts: Acts,
    private readonly clock: Clock,
    private readonly locks: Locks,
    private readonly keys: LedgerKeys,
    private readonly threads: RunThreads,
    @Inject(RECORDS) private readonly copies: Records | null,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super();
  }

  override async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    await this.thread?.stop();
    await super.onModuleDestroy();
  }

  /** Performs the requested run, if there is one. */
  protected override async work(): Promise<void> {
    if (!(await openRun(this.pool))) return;
    await this.locks.withLock(LOCK, async () => {
      // Another instance may have ended it since.
      const run = await openRun(this.pool);
      if (run && !this.stopped) await this.perform(run);
    });
  }

  private async perform({ id, requested_by: auditor, starts }: StoredRun): Promise<void> {
    if (starts >= MAX_STARTS) {
      this.logger.error({ message: 'A full verification of the ledger never ended.', run: id, starts });
      await endRun(this, id, { failure: INTERRUPTED }, this.clock.now());
      return;
    }
    await startRun(this.pool, id, this.clock.now());
    this.logger.log({ message: 'A full verification of the ledger starts.', run: id, auditor });
    let found: RunResult;
    try {
      found = await this.verify(id);
    } catch (error) {
      // The run is left open: the next process starts it again.
      if (this.stopped) return;
      this.logger.error({ message: 'A full verification of the ledger failed.', run: id, error });
      await endRun(this, id, { failure: sentenceOf(error) }, this.clock.now());
      return;
    }
    await endRun(this, id, found, this.clock.now());
    const { problems } = found;
    if (problems === 0) this.logger.log({ message: 'A full verification of the ledger found no problems.', run: id });
    else {
      const first = found.result.first.slice(0, PROBLEMS_LOGGED);
      this.logger.error({ message: 'A full verification of the ledger found problems.', run: id, problems, first });
    }
  }

  private async verify(id: number): Promise<RunResult> {
    const start = await this.startOf();
    if (this.stopped) throw new Error('The app stops.');
    let saving: Promise<void> = Promise.resolve();
    const thread = this.threads.start(start, (events) => {
      saving = saving
        .then(() => saveProgress(this.pool, id, events))
        .catch((error: unknown) => {
          this.logger.warn({ message: 'The progress of a full verification could not be stored.', run: id, error });
        });
    });
    this.thread = thread;
    try {
      return await thread.result;
    } finally {
      this.thread = null;
      await thread.stop();
      await saving;
    }
  }

  private async startOf(): Promise<RunStart> {
    const { databaseAuditUrl, databaseDirectUrl, eventStoreUrl, dataDir, media } = this.config;
    return {
      address: {
        databaseUrl: databaseAuditUrl ?? databaseDirectUrl ?? addressOf(this.pool),
        readOnly: true,
        eventStoreUrl,
        images: { dataDir, media },
      },
      clockOffsetMs: this.clock.now().getTime() - Date.now(),
      keys: (await this.keys.accepted()).map(publicPem),
      sealFile: await this.newestSealFile(join(dataDir, SEAL_FOLDER)),
      checkpoints: await this.keptCheckpoints(join(dataDir, CHECKPOINT_FILE)),
    };
  }

  /** Those in the data folder and in the place that all processes share. */
  private async keptCheckpoints(file: string): Promise<KeptCheckpoint[]> {
    const kept: KeptCheckpoint[] = [];
    const note = await readFile(file, 'utf8').catch(nullIfMissing);
    if (note !== null) kept.push({ note, location: CHECKPOINT_FILE });
    const copy = this.copies && (await readCopy(this.copies));
    if (this.copies && copy !== null) kept.push({ note: copy, location: this.copies.location + CHECKPOINT_FILE });
    return kept;
  }

  /** The file of the newest seal that this instance has; null without one. */
  private async newestSealFile(folder: string): Promise<string | null> {
    for (const row of await sealsBefore(this.pool, null, SEALS_SEARCHED)) {
      const file = await findSealFile({ folder, copies: this.copies }, row);
      if (file !== null) return file;
    }
    return null;
  }
}

function sentenceOf(error: unknown): string {
  return (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? OUT_OF_MEMORY : FAILED;
}
