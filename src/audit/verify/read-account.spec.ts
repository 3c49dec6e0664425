import { describe, expect, it } from '@jest/globals';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { StreamReader } from './read-account.js';

/** Events of one page. */
const PAGE = 2000;
const STREAMS = ['creditAccount-a', 'creditAccount-b', 'creditAccount-c'];

describe('StreamReader', () => {
  it.each([1, PAGE - 1, PAGE, PAGE + 1])(
    'reads each event of a stream of %i and its neighbours once',
    async (count) => {
      const stored = [1, count, 2].flatMap((length, index) =>
        Array.from({ length }, (_, version) => ({ stream: STREAMS[index], version }) as StoredEvent),
      );
      const scanStreams: EventStore['scanStreams'] = (_streams, { after, limit }) => {
        expect(limit).toBe(PAGE);
        const isLast = ({ stream, version }: StoredEvent): boolean =>
          stream === after?.stream && version === after.version;
        const start = stored.findIndex(isLast) + 1;
        return Promise.resolve(stored.slice(start, start + limit));
      };
      const reader = new StreamReader({ scanStreams } as unknown as EventStore, STREAMS);
      const read: StoredEvent[] = [];
      for (const stream of STREAMS) while (await reader.has(stream)) read.push(...reader.run(stream));
      expect(read).toEqual(stored);
    },
  );
});
