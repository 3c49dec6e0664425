import { codeArrives } from './arriving-code.js';
import { pollDelay, reconnectDelay, type StatusCheck } from './status-check.js';
import { EventStreamRefused } from './sse.js';

/** How many checks are made after the end of a generation while its refund is outstanding. */
const CHECKS_AFTER_END = 24;

/** Milliseconds of silence of an open stream, or of an unanswered check, after which there is trouble. */
const SILENCE_MS = 3_000;

/** After a stream that lived this long (ms), reconnecting starts with the shortest wait again. */
const STABLE_MS = 10_000;

/** Answers to a stream request that are not retried; 5xx, 408 and 429 are. */
const HOPELESS = new Set([400, 401, 403, 404, 405, 406, 410, 501, 200]);

export interface FollowOptions<Row> {
  /** One status check with its retries (see `checkStatus`). Throws a definite refusal of the server. */
  readonly check: () => Promise<StatusCheck<Row>>;
  /** Reads the live stream until it ends, breaks or is aborted; calls `onAlive` with each sign of life. */
  readonly stream: (onRow: (row: Row) => void, signal: AbortSignal, onAlive: () => void) => Promise<void>;
  /** `pending`: still running. `ending`: ended, but the refund is outstanding. `over`: nothing more will change. */
  readonly stage: (row: Row) => 'pending' | 'ending' | 'over';
  /** True when `row` was written before `known`: a slow answer must not replace a newer row. */
  readonly isOlder: (row: Row, known: Row) => boolean;
  readonly onRow: (row: Row) => void;
  /** True while both the stream and the checks fail, and after three seconds without a sign of life. */
  readonly onTrouble: (trouble: boolean) => void;
  /** Called with a definite refusal (not found, not allowed), after which following has stopped. */
  readonly onRefused: (error: unknown) => void;
}

export interface Following {
  /** Checks now instead of at the next interval, for example when the browser is back online. */
  readonly checkNow: () => void;
  readonly stop: () => void;
}

/**
 * Follows one generation to its end: a check at once, then the live stream. While the stream is unavailable, it checks
 * every 5 s, with a longer wait after failures. `onRow` gets the rows in order; the last one is the final state.
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
  let silence: ReturnType<typeof setTimeout> | undefined;
  let silent = false;

  const stop = (): void => {
    stopped.abort();
    clearTimeout(timer);
    clearTimeout(silence);
  };

  /** Expects a sign of life within three seconds, counted from the arrival of the page's own code. */
  const expectLife = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      if (codeArrives()) return expectLife();
      silent = true;
      options.onTrouble(true);
      void check();
    }, SILENCE_MS);
  };

  const alive = (): void => {
    clearTimeout(silence);
    if (silent && !stopped.signal.aborted) options.onTrouble(false);
    silent = false;
  };

  const take = (row: Row): void => {
    if (stopped.signal.aborted) return;
    failures = 0;
    alive();
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
    // An open stream gives its own signs of life.
    if (!live && !silent) expectLife();
    try {
      const result = await options.check();
      if (stopped.signal.aborted) return;
      if (result.stillProcessing) {
        failures++;
        clearTimeout(silence);
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
        await options.stream(
          (row) => {
            liveSince ??= Date.now();
            live = true;
            clearTimeout(timer);
            take(row);
            if (!stopped.signal.aborted) expectLife();
          },
          stopped.signal,
          () => {
            alive();
            if (live && !stopped.signal.aborted) expectLife();
          },
        );
      } catch (error) {
        if (error instanceof EventStreamRefused) {
          if (HOPELESS.has(error.status)) return;
          retryAfterMs = error.retryAfterMs;
        }
        // Anything else is a broken connection. The checks continue and report trouble when they fail, too.
      }
      const wasLive = live;
      live = false;
      clearTimeout(silence);
      if (wasLive) void check();
      if (known !== null && options.stage(known) === 'ending') return;
      // Streams that break at once must not shorten the wait.
      if (liveSince !== null && Date.now() - liveSince >= STABLE_MS) attempt = 0;
      await pause(Math.max(reconnectDelay(attempt++), retryAfterMs));
    }
  };

  /** Resolves early when following stops. */
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
