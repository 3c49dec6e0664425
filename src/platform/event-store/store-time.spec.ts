import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventFromFutureError, StoreTime } from './store-time.js';

const NOW = Date.parse('2026-03-10T09:00:00Z');

describe('StoreTime', () => {
  let server: number;
  let elapsed: number;
  let readings: number;
  let time: StoreTime;
  beforeEach(() => {
    [server, elapsed, readings] = [NOW, 0, 0];
    const read = (): Promise<Date> => {
      readings += 1;
      return Promise.resolve(new Date(server));
    };
    time = new StoreTime(read, () => elapsed);
  });
  const pass = (ms: number): void => {
    server += ms;
    elapsed += ms;
  };
  const check = (aheadMs: number): Promise<void> => time.check(new Date(server + aheadMs));

  it('reads the time of the store once for many events, and moves it by the stopwatch', async () => {
    await Promise.all([check(0), check(-86_400_000), check(60_000)]);
    pass(3_000_000);
    await check(60_000);
    expect(readings).toBe(1);
  });

  it('refuses an event that is more than a minute ahead', async () => {
    await expect(check(60_001)).rejects.toThrow(EventFromFutureError);
    await expect(check(40 * 86_400_000)).rejects.toThrow('but the time of the store is 2026-03-10T09:00:00.000Z');
    await check(0);
  });

  it('reads the time again before it refuses, because the stopwatch stops while the machine sleeps', async () => {
    await check(0);
    server += 3_000_000;
    await check(0);
    expect(readings).toBe(2);
  });

  it('reads the time again after an hour, because clocks drift', async () => {
    await check(0);
    pass(3_600_000);
    await check(0);
    expect(readings).toBe(2);
  });

  it('passes on the failure to read the time, and reads it again for the next event', async () => {
    const failing = new StoreTime(() => Promise.reject(new Error('No answer.')));
    await expect(failing.check(new Date(NOW))).rejects.toThrow('No answer.');
    await expect(failing.check(new Date(NOW))).rejects.toThrow('No answer.');
  });
});
