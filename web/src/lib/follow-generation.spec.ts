import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { followGeneration, type Following, type FollowOptions } from './follow-generation.js';
import { STATUS_CHECK_FAILED, type StatusCheck } from './status-check.js';
import { EventStreamRefused } from './sse.js';

interface Row {
  readonly stage: 'pending' | 'ending' | 'over';
  readonly at: number;
}
const row = (stage: Row['stage'], at: number): Row => ({ stage, at });
const found = (value: Row): StatusCheck<Row> => ({ row: value, stillProcessing: false, error: null });
const trouble: StatusCheck<Row> = { row: null, stillProcessing: true, error: STATUS_CHECK_FAILED, retryAfterMs: 0 };

/** Follows with checks and streams that the test answers, and records what the page would see. */
function setUp(check: () => Promise<StatusCheck<Row>>) {
  const seen: Row[] = [];
  const troubles: boolean[] = [];
  const refusals: unknown[] = [];
  const streams: {
    onRow: (row: Row) => void;
    alive: () => void;
    end: () => void;
    fail: (error: Error) => void;
    signal: AbortSignal;
  }[] = [];
  const checks = jest.fn(check);
  const options: FollowOptions<Row> = {
    check: checks,
    stream: (onRow, signal, alive) =>
      new Promise((resolve, reject) => {
        streams.push({ onRow, alive, end: resolve, fail: reject, signal });
        signal.onabort = () => resolve();
      }),
    stage: (value) => value.stage,
    isOlder: (value, known) => value.at < known.at,
    onRow: (value) => seen.push(value),
    onTrouble: (value) => troubles.push(value),
    onRefused: (error) => refusals.push(error),
  };
  return { seen, troubles, refusals, streams, checks, follow: (): Following => followGeneration(options) };
}

describe('followGeneration', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());
  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  it('checks at once and asks for no stream when the generation is over', async () => {
    const t = setUp(() => Promise.resolve(found(row('over', 1))));
    t.follow();
    await pass(60_000);
    expect(t.seen).toEqual([row('over', 1)]);
    expect(t.streams).toHaveLength(0);
    expect(t.checks).toHaveBeenCalledTimes(1);
  });

  it('reports trouble after three silent seconds of an open stream, until the next sign of life', async () => {
    const t = setUp(() => Promise.resolve(found(row('pending', 1))));
    t.follow();
    await pass(0);
    t.streams[0]?.onRow(row('pending', 2));
    for (let second = 0; second < 20; second++) {
      await pass(1_000);
      t.streams[0]?.alive();
    }
    expect(t.troubles).not.toContain(true);
    t.checks.mockImplementation(() => new Promise(() => undefined));
    await pass(2_999);
    expect(t.troubles).not.toContain(true);
    await pass(1);
    expect(t.troubles.at(-1)).toBe(true);
    t.streams[0]?.alive();
    expect(t.troubles.at(-1)).toBe(false);
  });

  it('reports trouble when a check is unanswered for three seconds', async () => {
    const t = setUp(() => new Promise(() => undefined));
    t.follow();
    await pass(2_999);
    expect(t.troubles).toEqual([]);
    await pass(1);
    expect(t.troubles).toEqual([true]);
  });

  it('[F4.23] checks every 5 s until the first row of the stream, and not while the stream is open', async () => {
    const t = setUp(() => Promise.resolve(found(row('pending', 1))));
    t.follow();
    await pass(5_000);
    expect(t.checks).toHaveBeenCalledTimes(2);
    t.streams[0]?.onRow(row('pending', 2));
    for (let second = 0; second < 60; second++) {
      await pass(1_000);
      t.streams[0]?.alive();
    }
    expect(t.checks).toHaveBeenCalledTimes(2);
    t.streams[0]?.onRow(row('over', 3));
    await pass(60_000);
    expect(t.checks).toHaveBeenCalledTimes(2);
    expect(t.seen.at(-1)).toEqual(row('over', 3));
    expect(t.streams[0]?.signal.aborted).toBe(true);
  });

  it('checks at once when a live stream breaks and reconnects after 1, 2, 5 and 10 s', async () => {
    const t = setUp(() => Promise.resolve(found(row('pending', 1))));
    const following = t.follow();
    await pass(0);
    t.streams[0]?.onRow(row('pending', 2));
    t.streams[0]?.fail(new TypeError('network'));
    await pass(0);
    expect(t.checks).toHaveBeenCalledTimes(2);
    for (const [index, delay] of [1_000, 2_000, 5_000, 10_000, 10_000].entries()) {
      await pass(delay - 1);
      expect(t.streams).toHaveLength(index + 1);
      await pass(1);
      expect(t.streams).toHaveLength(index + 2);
      t.streams.at(-1)?.fail(new TypeError('network'));
      await pass(0);
    }
    following.stop();
  });

  it.each([
    [9_999, 2_000],
    [10_000, 1_000],
  ])('waits after a second stream that lived %i ms for %i ms', async (livedMs, waitMs) => {
    const t = setUp(() => Promise.resolve(found(row('pending', 1))));
    const following = t.follow();
    await pass(0);
    t.streams[0]?.fail(new TypeError('network'));
    await pass(1_000);
    t.streams[1]?.onRow(row('pending', 2));
    await pass(livedMs);
    t.streams[1]?.fail(new TypeError('network'));
    await pass(waitMs - 1);
    expect(t.streams).toHaveLength(2);
    await pass(1);
    expect(t.streams).toHaveLength(3);
    following.stop();
  });

  it.each([429, 503])(
    'reconnects to a stream that answers %i after its Retry-After, and checks meanwhile',
    async (status) => {
      const t = setUp(() => Promise.resolve(found(row('pending', 1))));
      const following = t.follow();
      await pass(0);
      t.streams[0]?.fail(new EventStreamRefused(status, 'too many', 30_000));
      await pass(29_999);
      expect(t.streams).toHaveLength(1);
      expect(t.checks).toHaveBeenCalledTimes(6);
      await pass(1);
      expect(t.streams).toHaveLength(2);
      following.stop();
    },
  );

  it('checks again only after Retry-After', async () => {
    const answers = [{ ...trouble, retryAfterMs: 42_000 }];
    const t = setUp(() => Promise.resolve(answers.shift() ?? found(row('over', 9))));
    t.follow();
    await pass(41_999);
    expect(t.checks).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(t.checks).toHaveBeenCalledTimes(2);
  });

  it('polls without reconnecting after a permanent refusal of the stream', async () => {
    const t = setUp(() => Promise.resolve(found(row('pending', 1))));
    const following = t.follow();
    await pass(0);
    t.streams[0]?.fail(new EventStreamRefused(404, 'gone'));
    await pass(20_000);
    expect(t.streams).toHaveLength(1);
    expect(t.checks).toHaveBeenCalledTimes(5);
    following.stop();
    await pass(60_000);
    expect(t.checks).toHaveBeenCalledTimes(5);
  });

  it('[F2.54, F4.23] reports trouble, waits longer after each failure, and reports the recovery', async () => {
    const answers = [trouble, trouble, trouble, found(row('pending', 1))];
    const t = setUp(() => Promise.resolve(answers.shift() ?? found(row('over', 9))));
    t.follow();
    await pass(0);
    expect(t.troubles).toEqual([true]);
    await pass(5_000);
    await pass(10_000);
    expect(t.checks).toHaveBeenCalledTimes(3);
    await pass(20_000);
    expect(t.troubles.at(-1)).toBe(false);
    expect(t.seen).toEqual([row('pending', 1)]);
    await pass(5_000);
    expect(t.seen.at(-1)).toEqual(row('over', 9));
  });

  it('never replaces a row by an older one', async () => {
    const answers = [found(row('pending', 1)), found(row('pending', 2)), found(row('pending', 1))];
    const t = setUp(() => Promise.resolve(answers.shift() ?? found(row('over', 3))));
    t.follow();
    await pass(15_000);
    expect(t.seen.map((value) => value.at)).toEqual([1, 2, 3]);
  });

  it('waits on the same stream for the refund of a failed generation', async () => {
    const t = setUp(() => Promise.resolve(found(row('pending', 1))));
    t.follow();
    await pass(0);
    t.streams[0]?.onRow(row('ending', 2));
    t.streams[0]?.onRow(row('over', 3));
    await pass(60_000);
    expect(t.seen.map((value) => value.stage)).toEqual(['pending', 'ending', 'over']);
    expect(t.checks).toHaveBeenCalledTimes(1);
    expect(t.streams).toHaveLength(1);
  });

  it('checks for the refund 24 more times when there is no stream', async () => {
    const t = setUp(() => Promise.resolve(found(row('ending', 2))));
    t.follow();
    await pass(0);
    expect(t.streams).toHaveLength(0);
    await pass(3_600_000);
    expect(t.checks).toHaveBeenCalledTimes(25);
  });

  it('keeps the wait when a stream ends at once each time', async () => {
    const t = setUp(() => Promise.resolve(found(row('pending', 1))));
    const following = t.follow();
    await pass(0);
    for (const [index, delay] of [1_000, 2_000, 5_000, 10_000].entries()) {
      t.streams[index]?.onRow(row('pending', 1));
      t.streams[index]?.end();
      await pass(delay);
      expect(t.streams).toHaveLength(index + 2);
    }
    t.streams[4]?.onRow(row('pending', 1));
    await pass(20_000);
    t.streams[4]?.end();
    await pass(1_000);
    expect(t.streams).toHaveLength(6);
    following.stop();
  });

  it('stops at a definite refusal', async () => {
    const t = setUp(() => Promise.reject(new Error('Generation not found or access denied')));
    t.follow();
    await pass(60_000);
    expect(t.refusals).toHaveLength(1);
    expect(t.checks).toHaveBeenCalledTimes(1);
  });
});
