import type { CreatorMoney } from '../../../src/contract/revenue.js';
import { formatMoney } from './format.js';

/** A part of what was earned. */
interface MoneyPart {
  readonly id: 'paid' | 'under_way' | 'payable' | 'pending' | 'debt';
  readonly label: string;
  /** Negative for a debt. */
  readonly cents: number;
}

/**
 * The parts of what was earned, in the order in which the money went out. They add up to `earned_cents`, so no screen
 * may leave one out: one that is usually zero (on its way, debt) is missing only while it is zero.
 */
export function moneyParts(money: CreatorMoney): readonly MoneyPart[] {
  const parts: readonly MoneyPart[] = [
    { id: 'paid', label: 'Paid', cents: money.paid_cents },
    { id: 'under_way', label: 'On its way', cents: money.under_way_cents },
    { id: 'payable', label: 'Payable', cents: money.payable_cents },
    { id: 'pending', label: 'Pending', cents: money.pending_cents },
    { id: 'debt', label: 'Debt', cents: 0 - money.debt_cents },
  ];
  return parts.filter(({ id, cents }) => cents !== 0 || (id !== 'under_way' && id !== 'debt'));
}

/** `$44.00 paid, $19.00 on its way, $1.00 payable, $15.50 pending`: all parts, or all but some. */
export function moneyText(money: CreatorMoney, without: readonly MoneyPart['id'][] = []): string {
  return moneyParts(money)
    .filter(({ id }) => !without.includes(id))
    .map(({ label, cents }) => `${formatMoney(cents)} ${label.toLowerCase()}`)
    .join(', ');
}
