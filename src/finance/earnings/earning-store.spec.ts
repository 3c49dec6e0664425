import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../platform/clock.js';
import { EMPTY_HEAD } from '../../platform/event-store/chain-events.js';
import { type EventStore, type NewEvent, NO_STREAM } from '../../platform/event-store/event-store.js';
import { UuidGenerator } from '../../platform/ids.js';
import { EarningStore } from './earning-store.js';
import { type EarningEvent } from './events.js';

const NOW = new Date('2026-11-20T09:00:00.000Z');

describe('EarningStore', () => {
  /** The time of the record of a share. @param lastEventAt time of the last record, ms */
  async function recordedAt(earnedAt: string, lastEventAt = 0): Promise<unknown> {
    const times: unknown[] = [];
    const append = (_stream: string, _version: number, events: readonly NewEvent[]) => {
      times.push(...events.map(({ metadata }) => metadata['occurredAt']));
      return Promise.resolve({ version: 0, position: '0' });
    };
    const store = new EarningStore({ append } as EventStore, new ManualClock(NOW), new UuidGenerator());
    const share = { reference: 'a'.repeat(64), kind: 'earning', cents: 54, earnedAt, payableAt: earnedAt } as const;
    const events: EarningEvent[] = [{ type: 'EarningPosted', data: { schemaVersion: 1, ...share } }];
    await store.post({ creatorId: 'ada', events, earlier: NO_STREAM, head: { ...EMPTY_HEAD, lastEventAt } });
    return times[0];
  }

  it('records no share before it was earned, when the clock of the fan was up to a minute ahead', async () => {
    expect(await recordedAt('2026-11-20T08:00:00.000Z')).toBe(NOW.toISOString());
    expect(await recordedAt('2026-11-20T09:01:00.000Z')).toBe('2026-11-20T09:01:00.000Z');
    // The store would refuse it.
    expect(await recordedAt('2026-11-20T09:01:00.001Z')).toBe(NOW.toISOString());
    expect(await recordedAt('2026-11-20T09:00:30.000Z', NOW.getTime() + 40_000)).toBe('2026-11-20T09:00:40.000Z');
  });
});
