import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval, Timeout } from '@nestjs/schedule';
import { BackgroundWork } from './background-work.js';

/**
 * A worker of a schedule, or of `DueWork`: one run at a time. A run that fails is logged, and the next one tries again.
 */
export abstract class ScheduledWorker implements OnModuleDestroy {
  protected readonly logger = new Logger(this.constructor.name);
  protected stopped = false;
  /** The sentence that is logged with the error of a failed run. */
  protected abstract readonly failure: string;
  private readonly ticking = new BackgroundWork(
    () => this.work(),
    (error) => this.failed(error),
    this.constructor.name,
  );

  /** Starts no run any more, and waits for the one in progress. */
  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    await this.ticking.stop();
  }

  /** Starts a run, or joins the one in progress. Never rejects. */
  tick(): Promise<void> {
    return this.ticking.run();
  }

  /** Starts a run, also after the one in progress, which may have missed what is new. Returns at once. */
  wake(): void {
    this.ticking.wake();
  }

  protected abstract work(): Promise<unknown>;

  protected failed(error: unknown): void {
    this.logger.error({ message: this.failure, error });
  }
}

/**
 * The schedule of a worker: a run at each interval.
 * @param ms the interval, milliseconds
 * @param options.fromStart also a run once the app has started
 */
export function Scheduled(name: string, ms: number, { fromStart = false } = {}) {
  return ({ prototype }: { readonly prototype: ScheduledWorker }): void => {
    // Nest looks for schedules of methods, and this one is inherited: each class needs its own.
    const add = (method: string, schedule: MethodDecorator): void => {
      const value = function (this: ScheduledWorker): Promise<void> {
        return this.tick();
      };
      Object.defineProperty(prototype, method, { value });
      schedule(prototype, method, { value });
    };
    add('everyInterval', Interval(name, ms));
    if (fromStart) add('onStart', Timeout(`${name}-start`, 0));
  };
}
