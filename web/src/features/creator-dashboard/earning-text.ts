import type { ChangeCause, CreatorEarning, EarningPart, PayoutCutoffs } from '../../../../src/contract/revenue.js';
import { formatShortDate } from '../../lib/format.js';
import { formatDay, formatShortDay } from './dates.js';
import { count, money, smallMoney } from './money.js';

const CAUSES: Record<ChangeCause, { readonly label: string; readonly reason: string }> = {
  refund: {
    label: 'Refund',
    reason: 'The purchase that paid for this picture was refunded to the fan, so your half of it was taken back.',
  },
  dispute: {
    label: 'Chargeback',
    reason: "The fan's bank took the payment back (a chargeback), so your half of it was taken back.",
  },
  debt_paid: {
    label: 'Debt paid',
    reason: 'The fan paid for the credits after all, so your half was given back.',
  },
  dispute_won: {
    label: 'Dispute won',
    reason: "The bank decided the dispute in Fanvas's favour, so your half was given back.",
  },
  refund_failed: {
    label: 'Refund failed',
    reason: 'The refund did not reach the fan and the money came back, so your half was given back.',
  },
};

/** Text of the column "Paid with". */
export function paidWith({ kind, cause, free_credits: free }: CreatorEarning): string {
  if (kind === 'free') return 'Free credits';
  if (kind === 'earning') return free > 0 ? 'Purchased and free' : 'Purchased';
  return cause ? CAUSES[cause].label : 'Purchased';
}

/** Text of the column "State". @param cutoffs of payouts; null while they are unknown */
export function stateText(
  { kind, payable_at: payable, creator_cents: cents }: CreatorEarning,
  now: Date,
  cutoffs: PayoutCutoffs | null,
): string {
  if (kind === 'free') return 'Free: earns nothing';
  if (kind === 'correction') return 'Taken back';
  if (kind === 'restoration') return 'Given back';
  if (cents === 0) return 'Earns nothing';
  if (payable === null) return 'Pending';
  if (cutoffs?.paid_until && payable < cutoffs.paid_until) return 'Paid out';
  if (cutoffs?.under_way_until && payable < cutoffs.under_way_until) return 'On its way';
  return `${isPast(payable, now) ? 'Payable since' : 'Pending to'} ${formatShortDay(payable, now)}`;
}

/** Why a correction or restoration happened, and what it changes; null for other rows. */
export function reasonText({ cause, kind, occurred_at: at, payable_at: payable }: CreatorEarning): string | null {
  if (kind !== 'correction' && kind !== 'restoration') return null;
  const reason = cause ? CAUSES[cause].reason : 'The purchase behind this picture changed.';
  if (kind === 'restoration' || payable === null) return reason;
  return at < payable
    ? `${reason} It came off your pending earnings, before this one was payable on ${formatDay(payable)}.`
    : `${reason} The earning was payable already, so it comes off what is payable, then off later earnings.`;
}

/** The sum of a part: credits × price = paid by the fan. Half of that is the creator's. */
export interface PartSum {
  readonly credits: string;
  /** Price of one credit. */
  readonly price: string;
  /** True when the price is rounded to parts of a cent. */
  readonly rounded: boolean;
  readonly paid: string;
  readonly half: string;
  /** False where rounding moves a part of a cent to or from another picture. */
  readonly exact: boolean;
}

/** @returns the figures of the sum as texts */
export function partSum({ credits, unit_price_cents: unit, cents, creator_cents: half }: EarningPart): PartSum {
  const even = credits * unit === cents;
  return {
    credits: count(credits),
    price: smallMoney(even || credits === 0 ? unit : cents / credits),
    rounded: !even,
    paid: smallMoney(cents),
    half: smallMoney(half),
    exact: half * 2 === cents,
  };
}

const PAYABLE: Record<CreatorEarning['kind'], string> = {
  earning: 'Payable. A chargeback after this comes off later earnings',
  correction: 'The earning would have been payable',
  restoration: 'Payable',
  free: '',
};

export interface LifeStep {
  readonly at: string;
  readonly text: string;
  /** Has not happened yet. */
  readonly future: boolean;
}

/** The steps from the purchase to the payout, the oldest first. */
export function lifeOf(row: CreatorEarning, now: Date): LifeStep[] {
  const { paid, kind, ordered_at: ordered, occurred_at: at, payable_at: payable, creator_cents: cents } = row;
  const steps: { at: string; text: string }[] = [];
  for (const { bought_at: bought } of paid) {
    if (bought !== null && !steps.some((step) => step.at === bought)) {
      steps.push({ at: bought, text: 'The fan bought credits' });
    }
  }
  const used = Math.abs(paid.reduce((sum, { credits }) => sum + credits, 0)) + row.free_credits;
  if (ordered !== null) steps.push({ at: ordered, text: `Picture ordered, ${count(used)} credits held` });
  if (kind === 'earning') steps.push({ at, text: `Delivered: ${smallMoney(cents)} earned` });
  if (kind === 'correction') steps.push({ at, text: `Taken back: ${money(cents)}` });
  if (kind === 'restoration') steps.push({ at, text: `Given back: ${money(cents)}` });
  // A change after the earning was payable counts at once: its own instant is the day.
  if (payable !== null && cents !== 0 && payable > at) {
    steps.push({ at: payable, text: PAYABLE[kind] });
  }
  return steps
    .sort((one, other) => one.at.localeCompare(other.at))
    .map((step) => ({ ...step, at: formatShortDate(step.at, now, 'UTC'), future: !isPast(step.at, now) }));
}

function isPast(iso: string, now: Date): boolean {
  return new Date(iso) <= now;
}
