import { Logger } from '@nestjs/common';
import { type Metrics } from './metrics.js';

/**
 * Time between two readings of the clock, in milliseconds. Shorter blocks of the event loop are not detected. A shorter
 * period would wake an idle process more often: at 20 ms, these wake-ups alone cost 0.6 % of a core.
 */
const PERIOD_MS = 100;

/** Further warnings within this time are counted in the next one (milliseconds). */
const WARN_EVERY_MS = 10_000;

const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface EventLoopWatchOptions {
  /** Shorter blocks are not logged, in milliseconds. */
  readonly warnAboveMs: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Measures how long the event loop was blocked, by the delay of a timer. While the loop is blocked, no request is read.
 */
export class EventLoopWatch {
  private readonly logger = new Logger('EventLoop');
  private readonly lag;
  private readonly now: () => number;
  private timer: NodeJS.Timeout | undefined;
  private lastTick = 0;
  private lateMs = 0;
  private warnedAt = -Infinity;
  private unlogged = { blocks: 0, longestMs: 0 };

  constructor(
    metrics: Metrics,
    private readonly options: EventLoopWatchOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
    this.lag = metrics.histogram({
      name: 'fanvas_event_loop_lag_seconds',
      help: `How late a timer of ${PERIOD_MS} ms fired.`,
      buckets: BUCKETS,
    });
  }

  start(): void {
    this.lastTick = this.now();
    this.timer = setInterval(() => this.tick(), PERIOD_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * Returns the longest time that a request that is read now may have waited for the loop, in milliseconds. Timers fire
   * before sockets are read, so the delay of the last tick includes the block before the read. The time at which the
   * request arrived is unknown, so the result is an upper bound.
   */
  waitedMs(): number {
    return this.lateMs;
  }

  /** Reads the clock and records the delay; public for tests. */
  tick(): void {
    const now = this.now();
    const late = Math.max(0, now - this.lastTick - PERIOD_MS);
    this.lastTick = now;
    this.lag.observe(late / 1000);
    this.lateMs = late >= PERIOD_MS ? Math.round(late) : 0;
    if (late >= this.options.warnAboveMs) this.warn(now, Math.round(late));
  }

  private warn(now: number, ms: number): void {
    const blocks = this.unlogged.blocks + 1;
    const longestMs = Math.max(this.unlogged.longestMs, ms);
    if (now - this.warnedAt < WARN_EVERY_MS) {
      this.unlogged = { blocks, longestMs };
      return;
    }
    this.warnedAt = now;
    this.unlogged = { blocks: 0, longestMs: 0 };
    this.logger.warn({ message: 'The event loop was blocked, so all requests waited.', ms, blocks, longestMs });
  }
}
