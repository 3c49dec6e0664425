import { pollDelay, reconnectDelay, type StatusCheck } from './status-check.js';
import { EventStreamRefused } from '../../lib/sse.js';

/** How many more checks a generation gets after its end, while its refund is still on the way. */
const CHECKS_AFTER_END = 24;

/** A stream that lived this long (ms) had a good connection: the next break starts with the shortest wait again. */
const STABLE_MS = 10_000;

/** Answers to a stream request after which another request cannot help; 5xx, 408 and 429 can pass. */
const HOPELESS = new Set([400, 401, 403, 404, 405, 406, 410, 501, 200]);

export interface FollowOptions<Row> {
  /** One status check, already bounded and retried (see `checkStatus`). Throws when the server gave a definite refusal. */
  readonly check: () => Promise<StatusCheck<Row>>;
  /** Reads the live stream until it ends, breaks or is aborted. */
  readonly stream: (onRow: (row: Row) => void, signal: AbortSignal) => Promise<void>;
  /** `pending`: worth a stream. `ending`: over, but something is still to come (the refund). `over`: nothing more will come. */
  readonly stage: (row: Row) => 'pending' | 'ending' | 'over';
  /** True when `row` was written before `known`, so that a slow answer never turns the clock back. */
  readonly isOlder: (row: Row, known: Row) => boolean;
  readonly onRow: (row: Row) => void;
  /** True while neither the stream nor the checks get through. */
  readonly onTrouble: (trouble: boolean) => void;
  /** A definite refusal (not found, not allowed); following has stopped. */
  readonly onRefused: (error: unknown) => void;
}

export interface Following {
  /** Asks now instead of at the next interval, for example when the browser is back online. */
  readonly checkNow: () => void;
  readonly stop: () => void;
}

/**
 * Follows one generation to its end: a check at once, then the live stream; whenever the stream cannot be had, a check every
 * 5 s (backing off on trouble) until it can. Rows reach `onRow` in order, the last one being the final state.
 */
export function followGeneration<Row>(options: FollowOptions<Row>): Following {
  const stopped = new AbortController();
  let known: Row | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let checking = false;
  let streaming = false;
  let live = false;
  let failures = 0;
  let checksAfterEnd = 0;

  const stop = (): void => {
    stopped.abort();
    clearTimeout(timer);
  };

  const take = (row: Row): void => {
    if (stopped.signal.aborted) return;
    failures = 0;
    options.onTrouble(false);
    if (known !== null && options.isOlder(row, known)) return;
    known = row;
    options.onRow(row);
    const stage = options.stage(row);
    if (stage === 'over') stop();
    else if (stage === 'pending' && !streaming) void keepStreaming();
  };

  const checkLater = (ms: number): void => {
    clearTimeout(timer);
    if (!stopped.signal.aborted) timer = setTimeout(() => void check(), ms);
  };

  const check = async (): Promise<void> => {
    if (checking || stopped.signal.aborted) return;
    checking = true;
    clearTimeout(timer);
    let retryAfterMs = 0;
    try {
      const result = await options.check();
      if (stopped.signal.aborted) return;
      if (result.stillProcessing) {
        failures++;
        retryAfterMs = result.retryAfterMs;
        options.onTrouble(!live);
      } else {
        take(result.row);
      }
    } catch (error) {
      if (stopped.signal.aborted) return;
      stop();
      options.onRefused(error);
      return;
    } finally {
      checking = false;
    }
    if (known !== null && options.stage(known) === 'ending' && ++checksAfterEnd > CHECKS_AFTER_END) stop();
    else if (!live) checkLater(Math.max(pollDelay(failures), retryAfterMs));
  };

  const keepStreaming = async (): Promise<void> => {
    streaming = true;
    let attempt = 0;
    while (!stopped.signal.aborted) {
      let liveSince: number | null = null;
      let retryAfterMs = 0;
      try {
        await options.stream((row) => {
          liveSince ??= Date.now();
          live = true;
          clearTimeout(timer);
          take(row);
        }, stopped.signal);
      } catch (error) {
        if (error instanceof EventStreamRefused) {
          if (HOPELESS.has(error.status)) return;
          retryAfterMs = error.retryAfterMs;
        }
        // Anything else is a broken connection: the checks go on meanwhile, and say so when they fail too.
      }
      const wasLive = live;
      live = false;
      if (wasLive) void check();
      if (known !== null && options.stage(known) === 'ending') return;
      // A stream that breaks at once, each time, is no reason to ask more often.
      if (liveSince !== null && Date.now() - liveSince >= STABLE_MS) attempt = 0;
      await pause(Math.max(reconnectDelay(attempt++), retryAfterMs));
    }
  };

  /** Ends early when following does. */
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timeout);
        stopped.signal.removeEventListener('abort', done);
        resolve();
      };
      const timeout = setTimeout(done, ms);
      stopped.signal.addEventListener('abort', done);
    });

  void check();
  return { checkNow: () => void check(), stop };
}
