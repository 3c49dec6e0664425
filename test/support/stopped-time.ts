import { jest } from '@jest/globals';

/** Fake time between two looks at the work (milliseconds). */
const STEP_MS = 50;

/**
 * Stops the timers and `performance.now()` of this process until {@link resumeTime}. Sockets, promises and immediates
 * continue, and so does `Date`. Call it before the code under test reads `performance.now()`.
 */
export function stopTime(): void {
  jest.useFakeTimers({ doNotFake: ['Date', 'hrtime'] });
}

/** Lets time pass by itself again. */
export function resumeTime(): void {
  jest.useRealTimers();
}

/**
 * Moves stopped time forward until the work has ended, and returns its outcome.
 * @param ms the latest moment for its end, in stopped time
 * @throws the error of the work; another one when the work has not ended by then
 */
export async function endWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  let ended = false;
  const end = (): void => {
    ended = true;
  };
  work.then(end, end);
  for (let passed = 0; !ended && passed < ms; passed += STEP_MS) {
    await jest.advanceTimersByTimeAsync(STEP_MS);
    await turns();
  }
  if (!ended) throw new Error(`The work did not end within ${ms} ms.`);
  return work;
}

/**
 * Like {@link endWithin}, for work that must fail.
 * @returns its error
 * @throws when it has not ended by then, or did not fail
 */
export async function failureWithin(ms: number, work: Promise<unknown>): Promise<unknown> {
  const failure = work.then(
    () => Promise.reject(new Error('The work did not fail.')),
    (error: unknown) => error,
  );
  return endWithin(ms, failure);
}

/** Some turns of the event loop, for what a timer has started. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
