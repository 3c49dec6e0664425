import { describe, expect, it } from '@jest/globals';
import { type PayoutSkipReason } from '../../contract/payouts.js';
import {
  cancelPayout,
  checkPayout,
  type DetailsFacts,
  draftPayout,
  failPayout,
  fixPayout,
  holdPayouts,
  type NewDraft,
  PayoutRefusedError,
  payPayout,
  releasePayouts,
  type Transfer,
} from './decide.js';
import type { PayoutEvent } from './events.js';
import { evolve, NO_PAYOUTS, type PayoutState } from './state.js';

const NOW = new Date('2026-11-01T09:00:00Z');
const CUTOFF = new Date('2026-11-01T00:00:00Z');
const DETAILS: DetailsFacts = { changedAt: new Date('2026-01-05T10:00:00Z'), usableFrom: null };
const DRAFT: NewDraft = {
  payoutId: 'p1',
  runId: 'r1',
  cutoff: CUTOFF,
  payableCents: 12_000,
  minimumCents: 2_500,
  draftedBy: 'finance_1',
  details: DETAILS,
};
const TRANSFER: Transfer = {
  payoutId: 'p1',
  amountCents: 12_000,
  reference: 'SEPA-1',
  paidOn: '2026-11-03',
  recordedBy: 'admin_1',
};

const after = (events: readonly PayoutEvent[], from = NO_PAYOUTS, at = NOW): PayoutState =>
  events.reduce((state, event) => evolve(state, event, at.getTime()), from);
const drafted = (state = NO_PAYOUTS, draft: Partial<NewDraft> = {}): PayoutState =>
  after(draftPayout(state, { ...DRAFT, ...draft }, NOW).events, state);
const fixed = (state = drafted(), payoutId = 'p1', payableCents = 12_000): PayoutState =>
  after(fixPayout(state, payoutId, payableCents), state);
const checked = (state = fixed(), payoutId = 'p1'): PayoutState =>
  after(checkPayout(state, payoutId, 'admin_1'), state);
const paid = (state = checked(), transfer: Partial<Transfer> = {}): PayoutState =>
  after(payPayout(state, { ...TRANSFER, ...transfer }), state);
const failed = (state = checked(), payoutId = 'p1'): PayoutState => after(failPayout(state, payoutId, 'AC04'), state);

const skipped = (state: PayoutState, draft: Partial<NewDraft> = {}, now = NOW): PayoutSkipReason | null =>
  draftPayout(state, { ...DRAFT, payoutId: 'p2', runId: 'r2', ...draft }, now).skipped;

describe('draftPayout', () => {
  it('drafts what was payable at the cutoff and not paid before', () => {
    const state = paid();
    const { events } = draftPayout(state, { ...DRAFT, payoutId: 'p2', runId: 'r2', payableCents: 20_000 }, NOW);
    expect(events).toEqual([
      {
        type: 'PayoutDrafted',
        data: {
          schemaVersion: 1,
          payoutId: 'p2',
          runId: 'r2',
          cutoff: '2026-11-01T00:00:00.000Z',
          payableCents: 20_000,
          paidCents: 12_000,
          amountCents: 8_000,
          minimumCents: 2_500,
          draftedBy: 'finance_1',
        },
      },
    ]);
  });

  it.each([
    ['drafted', drafted()],
    ['paid', paid()],
    ['cancelled', after(cancelPayout(drafted(), 'p1', 'A mistake.'), drafted())],
  ])('drafts nothing for a payout that is %s already', (_, state) => {
    expect(draftPayout(state, { ...DRAFT, payableCents: 90_000 }, NOW)).toEqual({ skipped: null, events: [] });
  });

  it.each<[string, PayoutSkipReason | null, PayoutState, Partial<NewDraft>]>([
    ['another payout is on its way', 'open', drafted(), {}],
    ['more was paid than is payable', 'negative', paid(), { payableCents: 11_999 }],
    ['nothing is payable', 'nothing', paid(), {}],
    ['a cent is missing to the minimum', 'below_minimum', NO_PAYOUTS, { payableCents: 2_499 }],
    ['the minimum is reached (they are not)', null, NO_PAYOUTS, { payableCents: 2_500 }],
    ['there are no details', 'no_details', NO_PAYOUTS, { details: { changedAt: null, usableFrom: null } }],
  ])('a creator is skipped if %s, with the reason %s', (_, reason, state, draft) => {
    expect(skipped(state, draft)).toBe(reason);
  });

  it('skips a creator until changed details may be used', () => {
    const usableFrom = new Date('2026-11-05T00:00:00Z');
    const details = { changedAt: new Date('2026-10-29T00:00:00Z'), usableFrom };
    expect(skipped(NO_PAYOUTS, { details }, new Date('2026-11-04T23:59:59.999Z'))).toBe('details_changed');
    expect(skipped(NO_PAYOUTS, { details }, usableFrom)).toBeNull();
  });

  it('skips a creator whose transfer failed until the details have changed', () => {
    const state = failed();
    expect(skipped(state)).toBe('failed_before');
    const changed = (ms: number): DetailsFacts => ({ changedAt: new Date(NOW.getTime() + ms), usableFrom: null });
    expect(skipped(state, { details: changed(0) })).toBe('failed_before');
    expect(skipped(state, { details: changed(1) })).toBeNull();
  });

  it('skips a creator whose payouts a person holds, until the hold ends', () => {
    const until = new Date('2026-12-01T00:00:00Z');
    const state = after(holdPayouts(NO_PAYOUTS, { until, heldBy: 'admin_1', reason: 'A dispute about the style.' }));
    expect(skipped(state)).toBe('held');
    expect(skipped(state, {}, until)).toBeNull();
    expect(holdPayouts(state, { until, heldBy: 'admin_2', reason: 'The same.' })).toEqual([]);
    expect(skipped(after(holdPayouts(state, { until: NOW, heldBy: 'admin_1', reason: 'Solved.' }), state))).toBeNull();
  });
});

describe('fixPayout', () => {
  it('fixes what is payable now, less what was paid', () => {
    expect(fixPayout(drafted(), 'p1', 11_000)).toEqual([
      {
        type: 'PayoutFixed',
        data: { schemaVersion: 1, payoutId: 'p1', payableCents: 11_000, paidCents: 0, amountCents: 11_000 },
      },
    ]);
  });

  it.each([2_499, 0, -300])('cancels a draft that fell to %i cents', (payableCents) => {
    expect(fixPayout(drafted(), 'p1', payableCents)).toMatchObject([
      { type: 'PayoutCancelled', data: { reason: 'The amount fell below the minimum.' } },
    ]);
  });

  it('cancels a draft of nothing also without a minimum', () => {
    expect(fixPayout(drafted(NO_PAYOUTS, { minimumCents: 0 }), 'p1', 0)).toMatchObject([{ type: 'PayoutCancelled' }]);
  });

  it('changes nothing that is fixed', () => {
    expect(fixPayout(fixed(), 'p1', 50_000)).toEqual([]);
    expect(fixPayout(checked(), 'p1', 50_000)).toEqual([]);
  });

  it('fixes a draft that is exactly at its minimum', () => {
    expect(fixPayout(drafted(), 'p1', 2_500)).toMatchObject([{ type: 'PayoutFixed' }]);
  });
});

describe('checkPayout', () => {
  it('needs another person than the author of the draft', () => {
    expect(() => checkPayout(fixed(), 'p1', 'finance_1')).toThrow(
      new PayoutRefusedError('p1', 'Another person than the one who drafted this payout checks it.'),
    );
    expect(checkPayout(fixed(), 'p1', 'admin_1')).toMatchObject([{ type: 'PayoutChecked' }]);
    expect(checkPayout(checked(), 'p1', 'admin_2')).toEqual([]);
  });

  it('refuses a payout whose amount can still change', () => {
    expect(() => checkPayout(drafted(), 'p1', 'admin_1')).toThrow('Fix the amount of this payout first.');
  });

  it('lets one person check what the app has drafted', () => {
    expect(checkPayout(fixed(drafted(NO_PAYOUTS, { draftedBy: null })), 'p1', 'admin_1')).toHaveLength(1);
  });
});

describe('payPayout', () => {
  it('records a transfer once, also when the file of the bank is read again', () => {
    const state = paid();
    expect(state).toMatchObject({ paidCents: 12_000, open: null });
    expect(payPayout(state, TRANSFER)).toEqual([]);
    expect(() => payPayout(state, { ...TRANSFER, reference: 'SEPA-2' })).toThrow(
      'This payout was paid already, with the reference SEPA-1.',
    );
    expect(() => payPayout(state, { ...TRANSFER, amountCents: 11_999 })).toThrow('This payout was paid already');
  });

  it.each<[string, PayoutState, Partial<Transfer>, RegExp]>([
    ['a payout that nobody has checked', fixed(), {}, /second person must check/],
    ['another amount', checked(), { amountCents: 12_001 }, /The transfer is \$120\.01, and the payout is \$120\.00\./],
    ['the person who drafted it', checked(), { recordedBy: 'finance_1' }, /Another person .* records it\./],
    ['an unknown payout', checked(), { payoutId: 'p9' }, /no such payout/],
    ['a cancelled payout', after(cancelPayout(fixed(), 'p1', 'A mistake.'), fixed()), {}, /has ended: cancelled/],
  ])('refuses %s', (_, state, transfer, message) => {
    expect(() => payPayout(state, { ...TRANSFER, ...transfer })).toThrow(message);
  });

  it('records a transfer that arrives after the bank had refused it, unless a later payout contains it', () => {
    expect(paid(failed())).toMatchObject({ paidCents: 12_000, failedAt: null });
    const details = { changedAt: new Date(NOW.getTime() + 1), usableFrom: null };
    const again = drafted(failed(), { payoutId: 'p2', runId: 'r2', details });
    expect(() => payPayout(again, TRANSFER)).toThrow('A later payout contains this amount. Cancel it first.');
    expect(() => payPayout(failed(), { ...TRANSFER, recordedBy: 'finance_1' })).toThrow('Another person');
  });

  it('does not record a transfer that came back again, but the next one of the bank', () => {
    const once = failed(paid());
    expect(() => payPayout(once, TRANSFER)).toThrow('The transfer with this reference came back.');
    const again = paid(once, { reference: 'SEPA-2' });
    expect(again.paidCents).toBe(12_000);
    const twice = failed(again);
    for (const reference of ['SEPA-1', 'SEPA-2']) {
      expect(() => payPayout(twice, { ...TRANSFER, reference })).toThrow('The transfer with this reference came back.');
    }
  });
});

describe('failPayout', () => {
  it('makes the amount payable again when the bank refuses a transfer', () => {
    expect(failed()).toMatchObject({ paidCents: 0, open: null });
    expect(failPayout(failed(), 'p1', 'AC04')).toEqual([]);
    expect(() => failPayout(fixed(), 'p1', 'AC04')).toThrow(PayoutRefusedError);
  });

  it('takes back a paid transfer that returns, also while a later payout is on its way', () => {
    const later = drafted(paid(), { payoutId: 'p2', runId: 'r2', payableCents: 20_000 });
    const state = failed(later);
    expect(state).toMatchObject({ paidCents: 0, open: { payoutId: 'p2', amountCents: 8_000 } });
    // Fixing counts what came back.
    expect(fixed(state, 'p2', 20_000).open?.amountCents).toBe(20_000);
  });
});

describe('cancelPayout', () => {
  it('gives up a payout at each step before it is paid', () => {
    for (const state of [drafted(), fixed(), checked()]) {
      expect(after(cancelPayout(state, 'p1', 'A mistake.'), state)).toMatchObject({ open: null, paidCents: 0 });
    }
    expect(() => cancelPayout(paid(), 'p1', 'A mistake.')).toThrow('This payout has ended: paid.');
    const cancelled = after(cancelPayout(drafted(), 'p1', 'A mistake.'), drafted());
    expect(cancelPayout(cancelled, 'p1', 'A mistake.')).toEqual([]);
  });
});

describe('releasePayouts', () => {
  const hold = { until: new Date(NOW.getTime() + 86_400_000), heldBy: 'admin_1', reason: 'A dispute.' };

  it('ends a hold that is in force, once', () => {
    const held = after(holdPayouts(NO_PAYOUTS, hold), NO_PAYOUTS);
    const release = { until: NOW, heldBy: 'admin_2', reason: 'Solved.' };
    const released = after(releasePayouts(held, release), held);
    expect(released.heldUntil).toBe(NOW.toISOString());
    expect(releasePayouts(released, { ...release, until: new Date(NOW.getTime() + 1) })).toEqual([]);
    expect(releasePayouts(NO_PAYOUTS, release)).toEqual([]);
  });

  it('ends a hold also in its last millisecond', () => {
    const held = after(holdPayouts(NO_PAYOUTS, hold), NO_PAYOUTS);
    expect(releasePayouts(held, { ...hold, until: new Date(hold.until.getTime() - 1) })).toHaveLength(1);
  });
});

describe('PayoutRefusedError', () => {
  it('answers a conflict', () => {
    expect(new PayoutRefusedError('p1', 'Fix it.')).toMatchObject({ kind: 'conflict', payoutId: 'p1' });
  });
});

describe('evolve', () => {
  it('moves a payout from draft to fixed and checked', () => {
    expect([drafted(), fixed(), checked()].map(({ open }) => open?.step)).toEqual(['drafted', 'fixed', 'checked']);
  });

  it('remembers who drafted a payout that comes back, and no author of one that it never saw', () => {
    expect(failed(paid()).ended.get('p1')).toMatchObject({ end: 'failed', draftedBy: 'finance_1' });
    const data = { schemaVersion: 1, payoutId: 'p9', amountCents: 5, wasPaid: true, reason: 'AC04' } as const;
    expect(after([{ type: 'PayoutFailed', data }]).ended.get('p9')?.draftedBy).toBeNull();
  });
});

it('lets later earnings pay what a chargeback took after a payout', () => {
  const state = paid();
  // $30 of the $120 were taken back. Then $20, and at last $80 more were earned.
  expect(skipped(state, { payableCents: 9_000 })).toBe('negative');
  expect(skipped(state, { payableCents: 11_000 })).toBe('negative');
  expect(drafted(state, { payoutId: 'p2', runId: 'r2', payableCents: 19_000 }).open?.amountCents).toBe(7_000);
});
