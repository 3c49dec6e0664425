import { AsyncResource } from 'node:async_hooks';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { Logger } from '@nestjs/common';
import { type Pool } from 'pg';
import { DAY_MS } from '../contract/durations.js';
import { underLease } from './database/lease-fence.js';
import { type Claim, type LeaseTimes, LockSession } from './lock-session.js';

/** A process that hangs has lost its locks after 20 seconds. */
const TIMES: LeaseTimes = { idleMs: 20_000, beatMs: 5_000 };

/** Time after which a lock that another process holds is logged, seconds. */
const LONG_SECONDS = 15 * 60;

/** A lock that is held until it is given back or lost. */
export interface HeldLock {
  /** Resolves when the lock was given back, or lost with its connection. Never rejects. */
  readonly ended: Promise<void>;
}

/**
 * Locks across all processes that share the database, for work that one of them at a time should do. All held locks of
 * a process use one connection of the pool. A process that dies loses its locks at once. One that hangs loses them
 * within 20 seconds, or 30 when it hangs within a transaction, by the clock of the database. A write under a lock that
 * another process has taken is refused (`database/lease-fence.ts`).
 */
export class Locks {
  private readonly logger = new Logger(Locks.name);
  private readonly owner = `${hostname()}:${process.pid}`;
  /** Names of the locks that this instance holds or asks for: Postgres would give a session the same lock again. */
  private readonly names = new Set<string>();
  /** The connection of the locks; null while there are none. */
  private session: LockSession | null = null;
  /** When rows are removed that killed processes, or a lost connection, may have left. By `performance.now()`. */
  private tidyAt = 0;
  /** The lease of the holder that was reported, by the name of the lock. */
  private readonly reported = new Map<string, string>();
  private readonly outside = AsyncResource.bind(<T>(work: () => T): T => work());

  constructor(
    private readonly pool: Pool,
    private readonly times: LeaseTimes = TIMES,
  ) {}

  /**
   * Runs `fn` while holding the lock of this name. When the connection breaks meanwhile, `fn` continues. Once another
   * process has taken the lock, the transactions and writes of `fn` fail with `LeaseLostError`. Appends to the event
   * store are not refused: their expected version guards them.
   * @param fn receives a signal that the connection broke
   * @returns the result of `fn`; undefined, without running it, when the lock is held (by another instance or this one)
   * @throws the error of `fn`, or of the database when the lock cannot be requested
   */
  withLock<T>(name: string, fn: (lost: AbortSignal) => Promise<T>): Promise<T | undefined> {
    return this.underLock(name, fn, (claim) => this.reportLong(name, claim));
  }

  /** `withLock` for work that goes on until it is stopped: that another process holds the lock for long is no news. */
  whileHeld<T>(name: string, fn: (lost: AbortSignal) => Promise<T>): Promise<T | undefined> {
    return this.underLock(name, fn, () => undefined);
  }

  /** @param onRefused receives the answer when another instance holds the lock */
  private async underLock<T>(
    name: string,
    fn: (lost: AbortSignal) => Promise<T>,
    onRefused: (claim: Claim) => void,
  ): Promise<T | undefined> {
    if (this.names.has(name)) return undefined;
    this.names.add(name);
    try {
      const session = this.enter();
      try {
        await this.tidy(session);
        const claim = await session.claim(name, this.owner);
        const { token } = claim;
        if (token === null) {
          onRefused(claim);
          return undefined;
        }
        this.reported.delete(name);
        try {
          return await underLease({ name, token }, session.lost, () => fn(session.lost));
        } finally {
          await session.giveBack(name, token).catch(() => undefined); // its loss is logged
        }
      } finally {
        this.leave(session);
      }
    } finally {
      this.names.delete(name);
    }
  }

  /**
   * Takes a lock for longer than one piece of work.
   * @param end gives it back
   * @returns null while another holder has it
   * @throws the error of the database when it cannot be requested
   */
  hold(name: string, end: AbortSignal): Promise<HeldLock | null> {
    return new Promise((resolve, reject) => {
      // A request may take the lock, and its time for the database must not end it.
      const holding = this.outside(() =>
        this.whileHeld(name, async (lost) => {
          resolve({ ended: holding.then(() => undefined) });
          const either = AbortSignal.any([end, lost]);
          if (!either.aborted) await once(either, 'abort');
        }),
      );
      holding.then(() => resolve(null), reject);
    });
  }

  /** Returns the session that all locks share: the present one, or a new one. */
  private enter(): LockSession {
    this.session ??= new LockSession(this.pool, this.times, this.outside, (session, error) => {
      if (this.session === session) this.session = null;
      this.tidyAt = 0;
      this.logger.warn('The connection of locks was lost.', { locks: [...this.names], reason: error.message });
    });
    this.session.users += 1;
    return this.session;
  }

  private leave(session: LockSession): void {
    session.users -= 1;
    if (session.users > 0) return;
    if (this.session === session) this.session = null;
    session.release();
  }

  private async tidy(session: LockSession): Promise<void> {
    if (performance.now() < this.tidyAt) return;
    this.tidyAt = performance.now() + DAY_MS;
    await session.tidy();
  }

  /** Work that is never done because its lock is always held would not fail anywhere. */
  private reportLong(name: string, { owner, holder, heldSeconds }: Claim): void {
    if (holder === null || (heldSeconds ?? 0) < LONG_SECONDS || this.reported.get(name) === holder) return;
    this.reported.set(name, holder);
    this.logger.warn('A lock is held by another process for long.', { lock: name, owner, heldSeconds });
  }
}
