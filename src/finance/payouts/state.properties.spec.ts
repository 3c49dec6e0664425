import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  cancelPayout,
  checkPayout,
  draftPayout,
  failPayout,
  fixPayout,
  holdPayouts,
  PayoutRefusedError,
  payPayout,
} from './decide.js';
import type { PayoutEvent } from './events.js';
import { evolve, NO_PAYOUTS, type PayoutState } from './state.js';

const PERSONS = ['finance_1', 'admin_1', 'admin_2'] as const;
const START = Date.parse('2026-01-01T00:00:00Z');
const DAY_MS = 86_400_000;

type Step =
  | { readonly kind: 'earn'; readonly cents: number }
  | { readonly kind: 'draft'; readonly run: number; readonly by: string | null }
  | { readonly kind: 'fix' | 'cancel' | 'fail'; readonly run: number }
  | { readonly kind: 'check'; readonly run: number; readonly by: string }
  | {
      readonly kind: 'pay';
      readonly run: number;
      readonly by: string;
      readonly more: number;
      readonly reference: string;
    }
  | { readonly kind: 'details' }
  | { readonly kind: 'hold' };

/** Most commands are about the payout that is on its way or the last one (0), the others about any. */
const run = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) },
);
const person: fc.Arbitrary<string> = fc.constantFrom(...PERSONS);
const arbitraryOf = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
/** The usual way has the larger weights, so that many payouts arrive. */
const step: fc.Arbitrary<Step> = fc.oneof(
  arbitraryOf(4, fc.record({ kind: fc.constant('earn'), cents: fc.integer({ min: -6_000, max: 12_000 }) })),
  arbitraryOf(
    6,
    fc.record({
      kind: fc.constant('draft'),
      run: fc.integer({ min: 1, max: 12 }),
      by: fc.option<string, null>(person, { nil: null, freq: 1 }),
    }),
  ),
  arbitraryOf(6, fc.record({ kind: fc.constant('fix'), run })),
  arbitraryOf(6, fc.record({ kind: fc.constant('check'), run, by: person })),
  arbitraryOf(
    8,
    fc.record({
      kind: fc.constant('pay'),
      run,
      by: person,
      more: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
      reference: fc.constantFrom('SEPA-1', 'SEPA-2', 'SEPA-3'),
    }),
  ),
  arbitraryOf(1, fc.record({ kind: fc.constant('cancel'), run })),
  arbitraryOf(2, fc.record({ kind: fc.constant('fail'), run })),
  arbitraryOf(2, fc.constant({ kind: 'details' })),
  arbitraryOf(1, fc.constant({ kind: 'hold' })),
);

/** Facts from outside the stream. */
interface World {
  payable: number;
  detailsAt: Date;
  now: Date;
}

function perform(state: PayoutState, world: World, now: Step): readonly PayoutEvent[] {
  if (now.kind === 'earn') {
    world.payable += now.cents;
    return [];
  }
  if (now.kind === 'details') {
    world.detailsAt = world.now;
    return [];
  }
  if (now.kind === 'hold') {
    return holdPayouts(state, { until: new Date(world.now.getTime() + DAY_MS), heldBy: 'admin_1', reason: 'A look.' });
  }
  const payoutId = now.run === 0 ? (state.open?.payoutId ?? [...state.ended.keys()].at(-1) ?? 'p0') : `p${now.run}`;
  switch (now.kind) {
    case 'draft': {
      const details = { changedAt: world.detailsAt, usableFrom: null };
      const draft = { payoutId, runId: `r${now.run}`, cutoff: world.now, payableCents: world.payable };
      return draftPayout(state, { ...draft, minimumCents: 1_000, draftedBy: now.by, details }, world.now).events;
    }
    case 'fix':
      return fixPayout(state, payoutId, world.payable);
    case 'check':
      return checkPayout(state, payoutId, now.by);
    case 'pay': {
      const amountCents = (state.open?.amountCents ?? state.ended.get(payoutId)?.amountCents ?? 0) + now.more;
      const { reference, by: recordedBy } = now;
      return payPayout(state, { payoutId, amountCents, reference, paidOn: '2026-11-03', recordedBy });
    }
    case 'fail':
      return failPayout(state, payoutId, 'AC04');
    case 'cancel':
      return cancelPayout(state, payoutId, 'A mistake.');
  }
}

it('pays each earning once, in any order of commands', () => {
  let payments = 0;
  let repayments = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }), (steps) => {
      const world: World = { payable: 0, detailsAt: new Date(START), now: new Date(START) };
      let state = NO_PAYOUTS;
      let sent = 0;
      const draftedBy = new Map<string, string | null>();
      const transfers = new Set<string>();
      for (const each of steps) {
        world.now = new Date(world.now.getTime() + DAY_MS);
        let events: readonly PayoutEvent[] = [];
        try {
          events = perform(state, world, each);
        } catch (error) {
          if (!(error instanceof PayoutRefusedError)) throw error;
        }
        for (const event of events) {
          const { type, data } = event;
          if (type === 'PayoutDrafted') {
            expect(state.open).toBeNull();
            draftedBy.set(data.payoutId, data.draftedBy);
          }
          if (type === 'PayoutDrafted' || type === 'PayoutFixed') {
            expect(data.amountCents).toBe(world.payable - sent);
            expect(data.amountCents).toBeGreaterThanOrEqual(1_000);
          }
          if (type === 'PayoutChecked') expect(data.checkedBy).not.toBe(draftedBy.get(data.payoutId));
          if (type === 'PayoutPaid') {
            expect(data.recordedBy).not.toBe(draftedBy.get(data.payoutId));
            // A transfer is one payment, also when it came back.
            const transfer = `${data.payoutId} ${data.reference}`;
            expect(transfers).not.toContain(transfer);
            transfers.add(transfer);
            if (state.ended.has(data.payoutId)) repayments += 1;
            sent += data.amountCents;
            payments += 1;
          }
          if (type === 'PayoutFailed' && data.wasPaid) sent -= data.amountCents;
          state = evolve(state, event, world.now.getTime());
          expect(state.paidCents).toBe(sent);
        }
        // The same command again changes nothing: a repeat is refused or has no event.
        if (each.kind !== 'earn' && each.kind !== 'hold' && events.length > 0) {
          let repeated: readonly PayoutEvent[] = [];
          try {
            repeated = perform(state, world, each);
          } catch (error) {
            if (!(error instanceof PayoutRefusedError)) throw error;
          }
          expect(repeated).toEqual([]);
        }
      }
    }),
    { numRuns: 500 },
  );
  // Histories without a payment would show nothing.
  expect(payments).toBeGreaterThan(100);
  expect(repayments).toBeGreaterThan(10);
});
