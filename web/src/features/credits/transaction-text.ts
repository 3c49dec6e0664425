import type { CreditTransaction } from '../../../../src/contract/credits.js';
import { humanize } from '../../lib/format.js';
import { TRANSACTIONS_PAGE_SIZE } from './api/get-user-transactions.js';

const TYPES: Record<string, string> = {
  signup_bonus: 'Bonus',
  bonus_grant: 'Bonus',
  daily_grant: 'Daily',
  deduction: 'Generation',
  refund: 'Refund',
  expiry: 'Expired',
  purchase: 'Purchase',
  purchase_reversal: 'Taken back',
  purchase_reinstatement: 'Given back',
  debt_repayment: 'Repayment',
  adjustment: 'Correction',
};

/** The word in the column "Type"; a type that this release does not know is shown as it came, readable. */
export function typeLabel(type: string): string {
  return TYPES[type] ?? humanize(type);
}

/** `+10`, `−10`, `0`, with a real minus sign. */
export function signedAmount(amount: number): string {
  if (amount === 0) return '0';
  return `${amount > 0 ? '+' : '−'}${Math.abs(amount).toLocaleString('en')}`;
}

/** What happened; a picture is named after its creator when that is known. */
export function transactionText(
  { transaction_type: type, description }: Pick<CreditTransaction, 'transaction_type' | 'description'>,
  creatorName: string | undefined,
): string {
  return type === 'deduction' && creatorName ? `Fan art with ${creatorName}` : description;
}

/** At least one page, also of nothing. */
export function totalPages(count: number, pageSize = TRANSACTIONS_PAGE_SIZE): number {
  return Math.max(1, Math.ceil(count / pageSize));
}
