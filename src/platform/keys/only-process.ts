import { setTimeout as delay } from 'node:timers/promises';
import { type HeldLock, type Locks } from '../locks.js';
import { KeyError } from './installation-keys.js';

const LOCK = 'keys-of-one-process';
/** A process that was just killed may hold the lock for a moment. */
const WAIT_MS = 5_000;
const RETRY_MS = 250;
/** Time between attempts to take a lost lock again. */
const RETAKE_MS = 10_000;

const SENTENCE =
  'The keys of this installation are in DATA_DIR, so only one process may use its database: set FANVAS_MASTER_KEY for ' +
  'all processes (`openssl rand -base64 32` makes one), which moves the keys to the database (docs/runbooks/keys.md).';

/**
 * Makes this the only process of the database that has its keys in its folder, with a warning. A lock that is lost
 * with its connection is taken again.
 * @param warn receives the warning
 * @param options.waitMs time that another such process has to end
 * @returns ends this
 * @throws KeyError while there is another such process
 */
export async function becomeOnlyProcess(
  locks: Locks,
  warn: (sentence: string) => void,
  { waitMs = WAIT_MS } = {},
): Promise<() => Promise<void>> {
  const stop = new AbortController();
  let hold = await locks.hold(LOCK, stop.signal);
  for (let waitedMs = 0; hold === null && waitedMs < waitMs; waitedMs += RETRY_MS) {
    await delay(RETRY_MS);
    hold = await locks.hold(LOCK, stop.signal);
  }
  if (hold === null) throw new KeyError(SENTENCE);
  warn(SENTENCE);
  const keeping = keepLock(locks, hold, stop.signal, warn);
  return async () => {
    stop.abort();
    await keeping;
  };
}

async function keepLock(
  locks: Locks,
  first: HeldLock,
  stop: AbortSignal,
  warn: (sentence: string) => void,
): Promise<void> {
  let hold: HeldLock | null = first;
  while (!stop.aborted) {
    // `stop` ends the delay.
    if (hold) await hold.ended;
    else await delay(RETAKE_MS, undefined, { signal: stop, ref: false }).catch(() => undefined);
    if (stop.aborted) return;
    try {
      hold = await locks.hold(LOCK, stop);
      if (!hold) warn(SENTENCE);
    } catch {
      hold = null; // the database is not available yet
    }
  }
}
