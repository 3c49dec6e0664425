import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { chainEvent, verifyChain } from '../../platform/event-store/hash-chain.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import {
  EARNING_SCHEMA_VERSIONS,
  earningEventId,
  type EarningEvent,
  earningsStream,
  readEarningEvent,
} from './events.js';
import { sharesOf } from './shares.js';

const FOLDER = new URL('event-archive/', import.meta.url);
const CREATOR = '5f6a1c9e-0d5b-4a53-9d0e-7d3f5f0a9b10';
const [, catalogue = ''] = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8').split(
  /^## Stream `(?:creatorEarnings-|processor`)/m,
);

/** An earning, what a chargeback takes back of it, and what a repaid debt gives back. */
function writtenEvents(): EarningEvent[] {
  const payable_at = new Date('2026-12-02T09:00:00Z');
  const share = (eventId: string, cents: number, day: string, reversal_id: string | null): EarningEvent[] =>
    sharesOf(eventId, [
      { creator_id: CREATOR, reversal_id, cents: -cents, occurred_at: new Date(`${day}T09:00:00Z`), payable_at },
    ]).map(({ event }) => event);
  return [
    ...share('019cd6f1-1b90-7c04-8a9e-6f1d2f3b7a01', 54, '2026-11-02', null),
    ...share('019cd6f1-1b90-7c04-8a9e-6f1d2f3b7a02', -54, '2026-11-09', 'dp_1'),
    ...share('019cd6f1-1b90-7c04-8a9e-6f1d2f3b7a03', 20, '2026-11-20', 'dp_1'),
  ];
}

/** Cents by kind. */
function sumsOf(events: readonly EarningEvent[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { data } of events) sums[data.kind] = (sums[data.kind] ?? 0) + data.cents;
  return sums;
}

/**
 * Writes a file, once:
 * `ARCHIVE_EARNINGS=<year>-<month>-<title> npx jest --selectProjects unit --testPathPatterns earnings/event-catalogue`
 */
const title = process.env['ARCHIVE_EARNINGS'];
if (title !== undefined) {
  let previous: string | null = null;
  const occurredAt = '2026-11-20T09:00:20.000Z';
  const events = writtenEvents().map((event, version) => {
    const id = earningEventId(event);
    const metadata = { actorId: 'system', causationId: id, correlationId: id, eventId: id, occurredAt };
    const stored = { stream: earningsStream(CREATOR), version, id, ...event, metadata };
    previous = chainEvent(previous, stored).hash;
    return stored;
  });
  const content = `${JSON.stringify({ sums: sumsOf(writtenEvents()), events }, null, 2)}\n`;
  const checksum = createHash('sha256').update(content).digest('hex').slice(0, 12);
  writeFileSync(new URL(`${title}.${checksum}.json`, FOLDER), content, { flag: 'wx' });
}

const files = readdirSync(FOLDER).sort();
const read = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');
/** Stored events and their sums. Files are never edited: their names have their checksums. */
const archived = (file: string): { sums: Record<string, number>; events: readonly StoredEvent[] } =>
  JSON.parse(read(file)) as { sums: Record<string, number>; events: StoredEvent[] };

const sections = catalogue
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [, type = '', version = ''] = /^`(\w+)` \(version (\d+)\)/.exec(text) ?? [];
    const [, example = '{}'] = /^```json\n([^]*?)^```$/m.exec(text) ?? [];
    return { type, version: Number(version), text, example: JSON.parse(example) as Record<string, unknown> };
  });

describe('archive of events of earnings', () => {
  it.each(files)('keeps %s unchanged, with its chain, ids and sums', (file) => {
    expect(file.split('.')[1]).toBe(createHash('sha256').update(read(file)).digest('hex').slice(0, 12));
    const { sums, events } = archived(file);
    expect(verifyChain(events)).toBeNull();
    expect(sumsOf(events.map(readEarningEvent))).toEqual(sums);
    for (const stored of events) expect(stored.id).toBe(earningEventId(readEarningEvent(stored)));
  });

  it('contains an example of every version of every event', () => {
    const found = files.flatMap((file) =>
      archived(file).events.map(({ type, data }) => `${type} ${data['schemaVersion'] as number}`),
    );
    const written = Object.entries(EARNING_SCHEMA_VERSIONS).flatMap(([type, newest]) =>
      Array.from({ length: newest }, (_, index) => `${type} ${index + 1}`),
    );
    expect([...new Set(found)].sort()).toEqual(written.sort());
  });
});

describe('docs/events.md', () => {
  it('lists every event of earnings with its newest version, in the table and as a section', () => {
    const rows = [...catalogue.matchAll(/^\| \[`(\w+)`\]\(#(\S+)\) +\| (\d+) /gm)];
    const due = sections.map(({ type, version }) => [type, `${type.toLowerCase()}-version-${version}`, version]);
    expect(rows.map(([, type, anchor, version]) => [type, anchor, Number(version)])).toEqual(due);
    expect(Object.fromEntries(sections.map(({ type, version }) => [type, version]))).toEqual(EARNING_SCHEMA_VERSIONS);
  });

  it.each(sections.map((section) => [section.type, section] as const))(
    'shows %s as it is written, and explains each of its fields',
    (type, { text, example }) => {
      const made = writtenEvents().filter((event) => event.type === type);
      expect(made.length).toBeGreaterThan(0);
      for (const { data } of made) expect(Object.keys(example).sort()).toEqual(Object.keys(data).sort());
      expect(readEarningEvent({ type, data: example })).toEqual({ type, data: example });
      const words = text.replace(/^```json[^]*?^```$/gm, '');
      for (const name of Object.keys(example)) if (name !== 'schemaVersion') expect(words).toContain(`\`${name}\``);
    },
  );
});
