import { describe, expect, it } from '@jest/globals';
import type { CreatorEarning, EarningPart } from '../../../../src/contract/revenue.js';
import { EARNING as PAID_EARNING } from '../../../test/rows.js';
import { lifeOf, partSum, paidWith, reasonText, stateText } from './earning-text.js';

const now = new Date('2026-11-22T09:40:00.000Z');
const PART: EarningPart = {
  credits: 10,
  unit_price_cents: 10,
  cents: 100,
  creator_cents: 50,
  bought_at: '2025-12-31T19:30:00.000Z',
};
const EARNING: CreatorEarning = {
  ...PAID_EARNING,
  paid: [PART],
  occurred_at: '2026-10-23T09:40:00.000Z',
  ordered_at: '2026-10-23T09:39:00.000Z',
  payable_at: '2026-11-22T09:40:00.000Z',
};
const correction = (fields: Partial<CreatorEarning>): CreatorEarning => ({
  ...EARNING,
  kind: 'correction',
  creator_cents: -50,
  paid: [{ ...PART, credits: -10, cents: -100, creator_cents: -50 }],
  cause: 'dispute',
  ...fields,
});

/** Such a change counts at once. */
const AFTER = { occurred_at: '2026-12-01T00:00:00.000Z', payable_at: '2026-12-01T00:00:00.000Z' };

describe('an earning in words', () => {
  it('counts as pending before its day and as payable from that instant on', () => {
    expect(stateText(EARNING, new Date(now.getTime() - 1), null)).toBe('Pending to 22 Nov');
    expect(stateText(EARNING, now, null)).toBe('Payable since 22 Nov');
    expect(stateText({ ...EARNING, payable_at: '2027-01-02T00:00:00.000Z' }, now, null)).toBe('Pending to 2 Jan 2027');
  });

  it('says that a payout has the earning whose day came before its cutoff', () => {
    const before = '2026-11-22T09:40:00.000Z';
    const later = '2026-11-23T00:00:00.000Z';
    const state = (paid_until: string | null, under_way_until: string | null): string =>
      stateText(EARNING, now, { paid_until, under_way_until });
    expect(state(later, null)).toBe('Paid out');
    expect(state(before, later)).toBe('On its way');
    expect(state(before, before)).toBe('Payable since 22 Nov');
    expect(state(null, null)).toBe('Payable since 22 Nov');
  });

  it('earns nothing when no share came of its paid credits', () => {
    expect(stateText({ ...EARNING, creator_cents: 0 }, now, null)).toBe('Earns nothing');
  });

  it('names what paid for it, and the cause of a change', () => {
    expect(paidWith(EARNING)).toBe('Purchased');
    expect(paidWith({ ...EARNING, free_credits: 5 })).toBe('Purchased and free');
    expect(paidWith({ ...EARNING, kind: 'free', paid: [] })).toBe('Free credits');
    expect(paidWith(correction({ cause: 'refund' }))).toBe('Refund');
    expect(paidWith({ ...EARNING, kind: 'restoration', cause: 'debt_paid' })).toBe('Debt paid');
  });

  it('explains a chargeback before the earning was payable', () => {
    expect(reasonText(correction({ occurred_at: '2026-11-01T00:00:00.000Z' }))).toBe(
      "The fan's bank took the payment back (a chargeback), so your half of it was taken back. " +
        'It came off your pending earnings, before this one was payable on 22 November 2026.',
    );
  });

  it('explains a chargeback after the earning was payable', () => {
    expect(reasonText(correction(AFTER))).toContain(
      'The earning was payable already, so it comes off what is payable, then off later earnings.',
    );
  });

  it('has no reason to give for an earning', () => {
    expect(reasonText(EARNING)).toBeNull();
  });

  it('shows the sum of a part, with its sign', () => {
    expect(partSum(PART)).toEqual({
      credits: '10',
      price: '10¢',
      rounded: false,
      paid: '$1.00',
      half: '50¢',
      exact: true,
    });
    expect(partSum({ ...PART, credits: -10, cents: -100, creator_cents: -50 })).toMatchObject({
      credits: '−10',
      price: '10¢',
      paid: '−$1.00',
      half: '−50¢',
    });
  });

  it('shows a rounded price and half where cents do not divide evenly', () => {
    expect(partSum({ ...PART, cents: 109, creator_cents: 54 })).toMatchObject({
      price: '10.9¢',
      rounded: true,
      paid: '$1.09',
      half: '54¢',
      exact: false,
    });
  });

  it('lists its life in order, each purchase once, and marks what is still to come', () => {
    const steps = lifeOf({ ...EARNING, paid: [PART, PART], free_credits: 3 }, new Date('2026-11-01T00:00:00.000Z'));
    expect(steps).toEqual([
      { at: '31 Dec 2025, 19:30', text: 'The fan bought credits', future: false },
      { at: '23 Oct, 09:39', text: 'Picture ordered, 23 credits held', future: false },
      { at: '23 Oct, 09:40', text: 'Delivered: 50¢ earned', future: false },
      {
        at: '22 Nov, 09:40',
        text: 'Payable. A chargeback after this comes off later earnings',
        future: true,
      },
    ]);
  });

  it('puts a correction before the day when the earning is payable, and names no day after it', () => {
    const early = lifeOf(correction({ occurred_at: '2026-11-01T00:00:00.000Z' }), now);
    expect(early.map(({ text }) => text).slice(2)).toEqual([
      'Taken back: −$0.50',
      'The earning would have been payable',
    ]);
    const late = lifeOf(correction(AFTER), now);
    expect(late.map(({ text }) => text).slice(2)).toEqual(['Taken back: −$0.50']);
  });
});
