import { describe } from '@jest/globals';
import {
  archiveWhenAsked,
  itDocumentsEvents,
  itKeepsArchive,
  type StreamCatalogue,
} from '../../../test/support/stream-catalogue.js';
import { EVENT_VERSIONS } from '../../contract/event-versions.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { PROCESSOR_STREAM, type ProcessorEvent, processorEventId, readProcessorEvent } from './events.js';
import { disownedOf, processorLines, recordOf } from './transactions.js';

/**
 * A payment that the ledger learns of later, its refund by an admin, a payout, a payment of another shop, and the close
 * of a month.
 */
function writtenEvents(): ProcessorEvent[] {
  const createdAt = new Date('2026-11-02T09:00:00Z');
  const common = { createdAt, availableOn: new Date('2026-11-04T00:00:00Z'), adminRefundId: null, checkoutId: null };
  const charge = { id: 'txn_1', type: 'charge', category: 'charge', grossCents: 2500, feeCents: 103, netCents: 2397 };
  const refund = { id: 'txn_2', type: 'refund', category: 'refund', grossCents: -500, feeCents: 0, netCents: -500 };
  const payout = { id: 'txn_3', type: 'payout', category: 'payout', grossCents: -1897, feeCents: 0, netCents: -1897 };
  const match = { sessionId: 'cs_1', reversalId: null, matchedCents: 2500 };
  const theirs = { ...charge, id: 'txn_4', grossCents: 4200, feeCents: 152, netCents: 4048 };
  const other = recordOf({ ...common, ...theirs, sourceId: 'ch_4', paymentIntentId: 'pi_4' }, null);
  return [
    recordOf({ ...common, ...charge, sourceId: 'ch_1', paymentIntentId: 'pi_1' }, null),
    { type: 'TransactionMatched', data: { schemaVersion: 1, transactionId: 'txn_1', match } },
    recordOf(
      { ...common, ...refund, sourceId: 're_1', paymentIntentId: 'pi_1', adminRefundId: 'order_1' },
      { sessionId: 'cs_1', reversalId: 'order_1', matchedCents: -500 },
    ),
    recordOf({ ...common, ...payout, sourceId: 'po_1', paymentIntentId: null }, null),
    other,
    disownedOf(other.data),
    {
      type: 'MonthClosed',
      data: {
        schemaVersion: 2,
        month: '2026-10',
        balances: [
          { account: 1010, cents: 2500, credits: 0 },
          { account: 2000, cents: -2000, credits: -200 },
          { account: 2050, cents: 0, credits: -30 },
          { account: 2100, cents: -250, credits: 0 },
          { account: 4000, cents: -250, credits: 0 },
        ],
        creatorShare: { pendingCents: 150, payableCents: 100, debtCents: 0 },
      },
    },
  ];
}

/** Sums of the lines by account. */
function resultsOf(events: readonly StoredEvent[]): { readonly books: Record<string, number> } {
  const books: Record<string, number> = {};
  for (const { account, cents } of events.map(readProcessorEvent).flatMap(processorLines)) {
    books[account] = (books[account] ?? 0) + cents;
  }
  return { books };
}

const catalogue: StreamCatalogue = {
  heading: PROCESSOR_STREAM,
  folder: new URL('event-archive/', import.meta.url),
  versions: EVENT_VERSIONS.processor,
  written: writtenEvents(),
  read: readProcessorEvent,
  idOf: (event) => processorEventId(event as ProcessorEvent),
};
archiveWhenAsked(catalogue, PROCESSOR_STREAM, resultsOf);

describe('archive of events of the processor', () => {
  itKeepsArchive(catalogue, resultsOf);
});

describe('events of the processor in docs/events.md', () => {
  itDocumentsEvents(catalogue);
});
