import { describe } from '@jest/globals';
import {
  archiveWhenAsked,
  itDocumentsEvents,
  itKeepsArchive,
  type StreamCatalogue,
} from '../../../test/support/stream-catalogue.js';
import { EVENT_VERSIONS } from '../../contract/event-versions.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { earningEventId, type EarningEvent, earningsStream, readEarningEvent } from './events.js';
import { type SharePosting, sharesOf } from './shares.js';

const CREATOR = '5f6a1c9e-0d5b-4a53-9d0e-7d3f5f0a9b10';

/** An earning, what a chargeback takes back of it, and what a repaid debt gives back. */
function writtenEvents(): EarningEvent[] {
  const payable_at = new Date('2026-12-02T09:00:00Z');
  const share = (eventId: string, kind: SharePosting['kind'], cents: number, day: string): EarningEvent[] =>
    sharesOf(eventId, [
      { creator_id: CREATOR, kind, creator_cents: cents, occurred_at: new Date(`${day}T09:00:00Z`), payable_at },
    ]).map(({ event }) => event);
  return [
    ...share('019cd6f1-1b90-7c04-8a9e-6f1d2f3b7a01', 'earning', 54, '2026-11-02'),
    ...share('019cd6f1-1b90-7c04-8a9e-6f1d2f3b7a02', 'correction', -54, '2026-11-09'),
    ...share('019cd6f1-1b90-7c04-8a9e-6f1d2f3b7a03', 'restoration', 20, '2026-11-20'),
  ];
}

/** Cents by kind. */
function resultsOf(events: readonly StoredEvent[]): { readonly sums: Record<string, number> } {
  const sums: Record<string, number> = {};
  for (const { data } of events.map(readEarningEvent)) sums[data.kind] = (sums[data.kind] ?? 0) + data.cents;
  return { sums };
}

const catalogue: StreamCatalogue = {
  heading: 'creatorEarnings-',
  folder: new URL('event-archive/', import.meta.url),
  versions: EVENT_VERSIONS.creatorEarnings,
  written: writtenEvents(),
  read: readEarningEvent,
  idOf: (event) => earningEventId(event as EarningEvent),
};
archiveWhenAsked(catalogue, earningsStream(CREATOR), resultsOf);

describe('archive of events of earnings', () => {
  itKeepsArchive(catalogue, resultsOf);
});

describe('events of earnings in docs/events.md', () => {
  itDocumentsEvents(catalogue);
});
