import type { PayoutState } from '../../../../src/contract/payouts.js';
import { formatDay } from './dates.js';

const STATES = {
  drafted: 'Being prepared',
  fixed: 'Amount final, not checked yet',
  checked: 'Checked, on its way to the bank',
  paid: 'Paid',
  failed: 'The transfer failed: the amount is payable again',
  cancelled: 'Given up: the amount is payable again',
} as const satisfies Record<PayoutState, string>;

/** The state of a payout in the words for its creator. */
export function payoutStateText({
  state,
  paid_on: paidOn,
}: {
  readonly state: PayoutState;
  readonly paid_on: string | null;
}): string {
  return state === 'paid' && paidOn !== null ? `Paid on ${formatDay(paidOn)}` : STATES[state];
}

const DAY_MS = 86_400_000;

/** The day before a cutoff, as its first instant. */
export function dayBefore(cutoff: string): string {
  return new Date(Date.parse(cutoff) - DAY_MS).toISOString();
}

/** The last day before a cutoff, which is the first instant of a day. */
export function lastDayBefore(cutoff: string): string {
  return formatDay(dayBefore(cutoff));
}
