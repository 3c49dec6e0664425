import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ProcessorAudit } from '../../audit/verify/processor-audit.js';
import { chainEvent } from '../../platform/event-store/hash-chain.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { addMonths, monthOf, startOfMonth } from '../../revenue/index.js';
import { type ProcessorEvent, processorEventId, PROCESSOR_STREAM, readProcessorEvent } from './events.js';
import { disownedOf, postedAt, processorLines, recordOf } from './transactions.js';

/** The months of a history go beyond the end of a year. */
const START = Date.parse('2025-10-01T00:00:00Z');
const HOUR_MS = 3_600_000;

/** A transaction of this age, or the close of the next month, after some hours. Some are of another shop. */
const steps = fc.array(
  fc.record({
    hours: fc.integer({ min: 0, max: 900 }),
    // Also at the first instant of a month.
    ageHours: fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.constant(null)),
    closes: fc.boolean(),
    feeCents: fc.integer({ min: 0, max: 500 }),
    // Steps until the transaction is found to be another shop's.
    disownedAfter: fc.constantFrom(null, 0, 1, 5),
  }),
  { maxLength: 40 },
);

interface Line {
  readonly account: number;
  readonly cents: number;
  readonly at: number;
}

/** The fold of the projection, without its tables. */
function linesOf(events: readonly StoredEvent[]): Line[] {
  const lines: Line[] = [];
  let closedUntil: Date | null = null;
  for (const stored of events) {
    const event = readProcessorEvent(stored);
    const recordedAt = new Date(stored.metadata['occurredAt'] as string);
    if (event.type === 'MonthClosed') closedUntil = startOfMonth(addMonths(event.data.month, 1));
    const createdAt = 'createdAt' in event.data ? new Date(event.data.createdAt) : recordedAt;
    const at = postedAt(createdAt, recordedAt, closedUntil).getTime();
    lines.push(...processorLines(event).map(({ account, cents }) => ({ account, cents, at })));
  }
  return lines;
}

/** Balances of all lines before an instant. */
function balancesBefore(lines: readonly Line[], end: number): Record<number, number> {
  const sums: Record<number, number> = {};
  for (const { account, cents, at } of lines) if (at < end) sums[account] = (sums[account] ?? 0) + cents;
  return sums;
}

describe('closed months', () => {
  it('keeps their figures regardless of what is recorded later, and posts the same lines in the audit', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const events: StoredEvent[] = [];
        const fixed = new Map<number, Record<number, number>>();
        let now = START;
        let next = monthOf(new Date(START));
        let previous = null as string | null;
        const append = (event: ProcessorEvent): void => {
          const id = processorEventId(event);
          const version = events.length;
          const occurredAt = new Date(now).toISOString();
          const metadata = { actorId: 'x', causationId: id, correlationId: id, eventId: id, occurredAt };
          const stored = { stream: PROCESSOR_STREAM, version, id, ...event, metadata };
          const { hash } = chainEvent(previous, stored);
          previous = hash;
          const recordedAt = new Date(now);
          events.push({ ...stored, metadata: { ...metadata, hash }, position: String(version), recordedAt });
        };
        const later = new Map<number, ProcessorEvent[]>();
        for (const [step, { hours, ageHours, closes, feeCents, disownedAfter }] of history.entries()) {
          now += hours * HOUR_MS;
          const end = startOfMonth(addMonths(next, 1)).getTime();
          if (closes && now >= end) {
            fixed.set(end, balancesBefore(linesOf(events), end));
            const creatorShare = { pendingCents: 0, payableCents: 0, debtCents: 0 };
            append({ type: 'MonthClosed', data: { schemaVersion: 2, month: next, balances: [], creatorShare } });
            next = addMonths(next, 1);
          }
          const at =
            ageHours === null
              ? startOfMonth(monthOf(new Date(now)))
              : new Date(Math.max(START, now - ageHours * HOUR_MS));
          const amounts = { grossCents: 1000, feeCents, netCents: 1000 - feeCents };
          const ids = { id: `txn_${events.length}`, type: 'charge', category: 'charge', sourceId: null };
          const times = {
            createdAt: at,
            availableOn: at,
            paymentIntentId: null,
            adminRefundId: null,
            checkoutId: null,
          };
          const record = recordOf({ ...ids, ...amounts, ...times }, null);
          append(record);
          if (disownedAfter !== null) {
            const due = step + disownedAfter;
            later.set(due, [...(later.get(due) ?? []), disownedOf(record.data)]);
          }
          for (const event of later.get(step) ?? []) append(event);
        }
        const lines = linesOf(events);
        for (const [end, balances] of fixed) expect(balancesBefore(lines, end)).toEqual(balances);
        const problems: string[] = [];
        const audit = new ProcessorAudit((problem) => problems.push(problem.what));
        for (const stored of events) audit.add(stored);
        expect(problems).toEqual([]);
        const recomputed = audit.take().lines.map(({ account, cents, occurred_at: at }) => ({ account, cents, at }));
        expect(recomputed).toEqual(lines);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, string | null, string]>([
    ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-02-05T09:00:00.000Z'],
    ['2026-02-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', null, '2026-01-01T00:00:00.000Z'],
  ])('posts a transaction of %s with months closed until %s at %s', (createdAt, closedUntil, at) => {
    const until = closedUntil === null ? null : new Date(closedUntil);
    expect(postedAt(new Date(createdAt), new Date('2026-02-05T09:00:00Z'), until).toISOString()).toBe(at);
  });
});
