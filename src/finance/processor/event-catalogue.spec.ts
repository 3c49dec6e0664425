import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { chainEvent, verifyChain } from '../../platform/event-store/hash-chain.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import {
  PROCESSOR_SCHEMA_VERSIONS,
  PROCESSOR_STREAM,
  type ProcessorEvent,
  processorEventId,
  readProcessorEvent,
} from './events.js';
import { processorLines, recordOf } from './transactions.js';

const FOLDER = new URL('event-archive/', import.meta.url);
const [, catalogue = ''] = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8').split(
  '## Stream `processor`',
);

/** A payment that the ledger learns of later, its refund by an admin, a payout, and the close of a month. */
function writtenEvents(): ProcessorEvent[] {
  const createdAt = new Date('2026-11-02T09:00:00Z');
  const common = { createdAt, availableOn: new Date('2026-11-04T00:00:00Z'), adminRefundId: null };
  const charge = { id: 'txn_1', type: 'charge', category: 'charge', grossCents: 2500, feeCents: 103, netCents: 2397 };
  const refund = { id: 'txn_2', type: 'refund', category: 'refund', grossCents: -500, feeCents: 0, netCents: -500 };
  const payout = { id: 'txn_3', type: 'payout', category: 'payout', grossCents: -1897, feeCents: 0, netCents: -1897 };
  const match = { sessionId: 'cs_1', reversalId: null, matchedCents: 2500 };
  return [
    recordOf({ ...common, ...charge, sourceId: 'ch_1', paymentIntentId: 'pi_1' }, null),
    { type: 'TransactionMatched', data: { schemaVersion: 1, transactionId: 'txn_1', match } },
    recordOf(
      { ...common, ...refund, sourceId: 're_1', paymentIntentId: 'pi_1', adminRefundId: 'order_1' },
      { sessionId: 'cs_1', reversalId: 'order_1', matchedCents: -500 },
    ),
    recordOf({ ...common, ...payout, sourceId: 'po_1', paymentIntentId: null }, null),
    {
      type: 'MonthClosed',
      data: {
        ...{ schemaVersion: 1, month: '2026-10' },
        balances: [
          { account: 1010, cents: 2500, credits: 0 },
          { account: 2000, cents: -2500, credits: -250 },
          { account: 2050, cents: 0, credits: -30 },
        ],
      },
    },
  ];
}

/** Sums of the lines by account. */
function booksOf(events: readonly ProcessorEvent[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { account, cents } of events.flatMap(processorLines)) sums[account] = (sums[account] ?? 0) + cents;
  return sums;
}

/**
 * Writes a file, once: `ARCHIVE_PROCESSOR=<year>-<month>-<title> npx jest
 * processor/event-catalogue --selectProjects unit`
 */
const title = process.env['ARCHIVE_PROCESSOR'];
if (title !== undefined) {
  let previous: string | null = null;
  const occurredAt = '2026-11-02T09:30:00.000Z';
  const events = writtenEvents().map((event, version) => {
    const id = processorEventId(event);
    const metadata = { actorId: 'system', causationId: id, correlationId: id, eventId: id, occurredAt };
    const stored = { stream: PROCESSOR_STREAM, version, id, ...event, metadata };
    previous = chainEvent(previous, stored).hash;
    return stored;
  });
  const content = `${JSON.stringify({ books: booksOf(writtenEvents()), events }, null, 2)}\n`;
  const checksum = createHash('sha256').update(content).digest('hex').slice(0, 12);
  writeFileSync(new URL(`${title}.${checksum}.json`, FOLDER), content, { flag: 'wx' });
}

const files = readdirSync(FOLDER).sort();
const read = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');
/** Stored events and what they post. Files are never edited: their names have their checksums. */
const archived = (file: string): { books: Record<string, number>; events: readonly StoredEvent[] } =>
  JSON.parse(read(file)) as { books: Record<string, number>; events: StoredEvent[] };

const sections = catalogue
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [, type = '', version = ''] = /^`(\w+)` \(version (\d+)\)/.exec(text) ?? [];
    const [, example = '{}'] = /^```json\n([^]*?)^```$/m.exec(text) ?? [];
    return { type, version: Number(version), text, example: JSON.parse(example) as Record<string, unknown> };
  });

describe('archive of events of the processor', () => {
  it.each(files)('keeps %s unchanged, with its chain and what it posts', (file) => {
    expect(file.split('.')[1]).toBe(createHash('sha256').update(read(file)).digest('hex').slice(0, 12));
    const { books, events } = archived(file);
    expect(verifyChain(events)).toBeNull();
    expect(booksOf(events.map(readProcessorEvent))).toEqual(books);
    for (const stored of events) expect(stored.id).toBe(processorEventId(readProcessorEvent(stored)));
  });

  it('contains an example of every version of every event', () => {
    const found = files.flatMap((file) =>
      archived(file).events.map(({ type, data }) => `${type} ${data['schemaVersion'] as number}`),
    );
    const written = Object.entries(PROCESSOR_SCHEMA_VERSIONS).flatMap(([type, newest]) =>
      Array.from({ length: newest }, (_, index) => `${type} ${index + 1}`),
    );
    expect([...new Set(found)].sort()).toEqual(written.sort());
  });
});

describe('docs/events.md', () => {
  it('lists every event of the processor with its newest version, in the table and as a section', () => {
    const rows = [...catalogue.matchAll(/^\| \[`(\w+)`\]\(#(\S+)\) +\| (\d+) /gm)];
    const due = sections.map(({ type, version }) => [type, `${type.toLowerCase()}-version-${version}`, version]);
    expect(rows.map(([, type, anchor, version]) => [type, anchor, Number(version)])).toEqual(due);
    expect(Object.fromEntries(sections.map(({ type, version }) => [type, version]))).toEqual(PROCESSOR_SCHEMA_VERSIONS);
  });

  it.each(sections.map((section) => [section.type, section] as const))(
    'shows %s as it is written, and explains each of its fields',
    (type, { text, example }) => {
      const made = writtenEvents().filter((event) => event.type === type);
      expect(made.length).toBeGreaterThan(0);
      for (const { data } of made) expect(Object.keys(example).sort()).toEqual(Object.keys(data).sort());
      expect(readProcessorEvent({ type, data: example })).toEqual({ type, data: example });
      const words = text.replace(/^```json[^]*?^```$/gm, '');
      for (const name of Object.keys(example)) if (name !== 'schemaVersion') expect(words).toContain(`\`${name}\``);
    },
  );
});
