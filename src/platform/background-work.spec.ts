import { describe, expect, it } from '@jest/globals';
import { BackgroundWork } from './background-work.js';

describe('BackgroundWork', () => {
  it('joins the run in progress, and starts a new one after its end', async () => {
    let starts = 0;
    let end = (): void => undefined;
    const work = new BackgroundWork(
      () => {
        starts += 1;
        return new Promise<void>((resolve) => (end = resolve));
      },
      () => undefined,
    );
    const first = work.run();
    expect(work.run()).toBe(first);
    expect(starts).toBe(1);
    let idle = false;
    const waiting = work.idle().then(() => (idle = true));
    await Promise.resolve();
    expect(idle).toBe(false);
    end();
    await Promise.all([first, waiting]);
    void work.run();
    expect(starts).toBe(2);
    end();
    await work.idle();
  });

  it('gives the error of a failed run to its owner, and runs again', async () => {
    const errors: unknown[] = [];
    const failure = new Error('No database');
    let fails = true;
    const work = new BackgroundWork(
      async () => {
        if (fails) throw failure;
      },
      (error) => errors.push(error),
    );
    await work.run();
    fails = false;
    await work.run();
    expect(errors).toEqual([failure]);
  });

  it('runs once more after a run that was woken meanwhile, and not after its stop', async () => {
    const ends: (() => void)[] = [];
    const work = new BackgroundWork(
      () => new Promise<void>((resolve) => ends.push(resolve)),
      () => undefined,
    );
    work.wake();
    work.wake();
    work.wake();
    ends[0]?.();
    await new Promise(setImmediate);
    expect(ends).toHaveLength(2);
    work.wake();
    const stopped = work.stop();
    ends[1]?.();
    await stopped;
    work.wake();
    await work.run();
    expect(ends).toHaveLength(2);
  });
});
