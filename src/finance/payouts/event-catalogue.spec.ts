import { describe } from '@jest/globals';
import {
  archiveWhenAsked,
  itDocumentsEvents,
  itKeepsArchive,
  type StreamCatalogue,
} from '../../../test/support/stream-catalogue.js';
import { EVENT_VERSIONS } from '../../contract/event-versions.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { cancelPayout, checkPayout, draftPayout, failPayout, fixPayout, holdPayouts, payPayout } from './decide.js';
import { type PayoutEvent, payoutStream, readPayoutEvent } from './events.js';
import { evolve, NO_PAYOUTS, type PayoutState } from './state.js';

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

/** The cents that were paid, and the id of the open payout. */
function resultsOf(events: readonly StoredEvent[]): { readonly paidCents: number; readonly open: string | null } {
  const { paidCents, open } = events.reduce<PayoutState>(
    (before, stored) => evolve(before, readPayoutEvent(stored), Date.parse(stored.metadata['occurredAt'] as string)),
    NO_PAYOUTS,
  );
  return { paidCents, open: open?.payoutId ?? null };
}

const catalogue: StreamCatalogue = {
  heading: 'creatorPayout-',
  folder: new URL('event-archive/', import.meta.url),
  versions: EVENT_VERSIONS.creatorPayout,
  written: writtenEvents(),
  read: readPayoutEvent,
};
archiveWhenAsked(catalogue, payoutStream('5f6a1c9e-0d5b-4a53-9d0e-7d3f5f0a9b10'), resultsOf);

describe('archive of events of payouts', () => {
  itKeepsArchive(catalogue, resultsOf);
});

describe('events of payouts in docs/events.md', () => {
  itDocumentsEvents(catalogue);
});
