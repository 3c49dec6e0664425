import { describe, expect, it } from '@jest/globals';
import { type Pool } from 'pg';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { provenStatement } from './proven-statement.js';

const STREAM = 'creatorEarnings-1';
const AT = new Date('2026-11-24T09:00:00.000Z');

/** The sources of a stream with this last version. @param logged the hash of its leaf */
const sourcesOf = (lastVersion: number, logged: string): Parameters<typeof provenStatement>[0] => {
  const eventAt = (version: number): StoredEvent => ({
    stream: STREAM,
    version,
    id: `id-${version}`,
    type: 'EarningPosted',
    data: {},
    metadata: { hash: version === lastVersion ? 'abcd' : '' },
    position: '',
    recordedAt: AT,
  });
  const eventStore: Pick<EventStore, 'readStream'> = {
    readStream: (_stream, { fromVersion = 0, limit = 1 } = {}) =>
      Promise.resolve(Array.from({ length: limit }, (_, offset) => eventAt(fromVersion + offset))),
  };
  const row = { index: 1, stream: STREAM, version: lastVersion, hash: Buffer.from(logged, 'hex'), size: 2, note: '' };
  const pool = { query: () => Promise.resolve({ rows: [row] }) };
  return {
    pool: pool as unknown as Pool,
    eventStore: eventStore as EventStore,
    proofs: { prove: () => Promise.resolve('proof') },
  };
};

describe('provenStatement', () => {
  it.each([0, 999, 1_000, 20_000])('has every event up to version %i once, in parts', async (lastVersion) => {
    const parts = await provenStatement(sourcesOf(lastVersion, 'abcd'), STREAM, AT);
    let text = '';
    let largest = 0;
    for await (const part of parts ?? []) {
      text += part;
      largest = Math.max(largest, part.split('\n').length - 1);
    }
    const lines = text.trimEnd().split('\n');
    const versions = lines.slice(1, -1).map((line) => (JSON.parse(line) as { event: StoredEvent }).event.version);
    expect(versions).toEqual(Array.from({ length: lastVersion + 1 }, (_, version) => version));
    expect(lines.at(-1)).toBe('{"proof":"proof"}');
    expect(largest).toBeLessThanOrEqual(1_000);
  });

  it('refuses a stream whose last event is not as it was logged', async () => {
    await expect(provenStatement(sourcesOf(3, 'ffff'), STREAM, AT)).rejects.toThrow('is not as it was logged');
  });
});
