import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { v7 } from 'uuid';
import { chainEvent, verifyChain } from '../../platform/event-store/hash-chain.js';
import { cancelPayout, checkPayout, draftPayout, failPayout, fixPayout, holdPayouts, payPayout } from './decide.js';
import { PAYOUT_SCHEMA_VERSIONS, type PayoutEvent, payoutStream, readPayoutEvent } from './events.js';
import { evolve, NO_PAYOUTS, type PayoutState } from './state.js';

const FOLDER = new URL('event-archive/', import.meta.url);
const [, catalogue = ''] = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8').split(
  /^## Stream `(?:creatorPayout-|creatorEarnings-|processor`)/m,
);

/** A history in which the rules write each event. */
function writtenEvents(): PayoutEvent[] {
  const now = new Date('2026-11-01T09:00:00Z');
  const events: PayoutEvent[] = [];
  let state = NO_PAYOUTS;
  const add = (made: readonly PayoutEvent[]): void => {
    for (const event of made) {
      state = evolve(state, event, now.getTime());
      events.push(event);
    }
  };
  const details = { changedAt: new Date('2026-01-05T10:00:00Z'), usableFrom: null };
  const draft = { cutoff: new Date('2026-11-01T00:00:00Z'), payableCents: 12_000, minimumCents: 2_500, details };
  add(draftPayout(state, { ...draft, payoutId: 'p1', runId: 'r1', draftedBy: 'user_finance' }, now).events);
  add(cancelPayout(state, 'p1', 'A mistake.'));
  add(draftPayout(state, { ...draft, payoutId: 'p2', runId: 'r2', draftedBy: 'user_finance' }, now).events);
  add(fixPayout(state, 'p2', 11_500));
  add(checkPayout(state, 'p2', 'user_admin'));
  const transfer = { reference: 'SEPA-77', paidOn: '2026-11-03', recordedBy: 'user_admin' };
  add(payPayout(state, { ...transfer, payoutId: 'p2', amountCents: 11_500 }));
  add(failPayout(state, 'p2', 'AC04'));
  add(holdPayouts(state, { until: new Date('2026-12-15T00:00:00Z'), heldBy: 'user_admin', reason: 'A dispute.' }));
  return events;
}

/**
 * Writes a file, once: `ARCHIVE_PAYOUTS=<year>-<month>-<title> npx jest payouts/event-catalogue
 * --selectProjects unit`
 */
const title = process.env['ARCHIVE_PAYOUTS'];
if (title !== undefined) {
  const stream = payoutStream('5f6a1c9e-0d5b-4a53-9d0e-7d3f5f0a9b10');
  let previous: string | null = null;
  const occurredAt = '2026-11-01T09:00:00.000Z';
  const events = writtenEvents().map(({ type, data }, version) => {
    const id = v7({ msecs: Date.parse(occurredAt) });
    const metadata = { actorId: 'system', causationId: id, correlationId: id, eventId: id, occurredAt };
    const stored = { stream, version, id, type, data, metadata };
    previous = chainEvent(previous, stored).hash;
    return stored;
  });
  const content = `${JSON.stringify({ paidCents: 0, open: null, events }, null, 2)}\n`;
  const checksum = createHash('sha256').update(content).digest('hex').slice(0, 12);
  writeFileSync(new URL(`${title}.${checksum}.json`, FOLDER), content, { flag: 'wx' });
}

const files = readdirSync(FOLDER).sort();
const read = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');
/** Stored events of one creator and what they come to. Files are never edited: their names have their checksums. */
const archived = (file: string): { paidCents: number; open: string | null; events: readonly StoredEvent[] } =>
  JSON.parse(read(file)) as { paidCents: number; open: string | null; events: StoredEvent[] };

const sections = catalogue
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [, type = '', version = ''] = /^`(\w+)` \(version (\d+)\)/.exec(text) ?? [];
    const [, example = '{}'] = /^```json\n([^]*?)^```$/m.exec(text) ?? [];
    return { type, version: Number(version), text, example: JSON.parse(example) as Record<string, unknown> };
  });

describe('archive of events of payouts', () => {
  it.each(files)('keeps %s unchanged, with its chain and what it comes to', (file) => {
    expect(file.split('.')[1]).toBe(createHash('sha256').update(read(file)).digest('hex').slice(0, 12));
    const { paidCents, open, events } = archived(file);
    expect(verifyChain(events)).toBeNull();
    const state = events.reduce<PayoutState>(
      (before, stored) => evolve(before, readPayoutEvent(stored), Date.parse(stored.metadata['occurredAt'] as string)),
      NO_PAYOUTS,
    );
    expect({ paidCents: state.paidCents, open: state.open?.payoutId ?? null }).toEqual({ paidCents, open });
  });

  it('contains an example of every version of every event', () => {
    const found = files.flatMap((file) =>
      archived(file).events.map(({ type, data }) => `${type} ${data['schemaVersion'] as number}`),
    );
    const written = Object.entries(PAYOUT_SCHEMA_VERSIONS).flatMap(([type, newest]) =>
      Array.from({ length: newest }, (_, index) => `${type} ${index + 1}`),
    );
    expect([...new Set(found)].sort()).toEqual(written.sort());
  });
});

describe('docs/events.md', () => {
  it('lists every event of payouts with its newest version, in the table and as a section', () => {
    const rows = [...catalogue.matchAll(/^\| \[`(\w+)`\]\(#(\S+)\) +\| (\d+) /gm)];
    const due = sections.map(({ type, version }) => [type, `${type.toLowerCase()}-version-${version}`, version]);
    expect(rows.map(([, type, anchor, version]) => [type, anchor, Number(version)])).toEqual(due);
    expect(Object.fromEntries(sections.map(({ type, version }) => [type, version]))).toEqual(PAYOUT_SCHEMA_VERSIONS);
  });

  it.each(sections.map((section) => [section.type, section] as const))(
    'shows %s as it is written, and explains each of its fields',
    (type, { text, example }) => {
      const made = [...writtenEvents(), ...files.flatMap((file) => archived(file).events)].filter(
        (event) => event.type === type,
      );
      const shapeOf = (data: object): string[] =>
        Object.entries(data)
          .map(([name, value]) => `${name}: ${value === null ? 'string' : typeof value}`)
          .sort();
      for (const { data } of made) expect(shapeOf(example)).toEqual(shapeOf(data));
      expect(readPayoutEvent({ type, data: example })).toEqual({ type, data: example });
      const words = text.replace(/^```json[^]*?^```$/gm, '');
      for (const name of Object.keys(example)) if (name !== 'schemaVersion') expect(words).toContain(`\`${name}\``);
    },
  );
});
