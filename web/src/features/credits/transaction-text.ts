import type { CreditTransaction } from '../../../../src/contract/credits.js';
import { humanize } from '../../lib/format.js';

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

/** The text of the column "Type"; an unknown type is shown in readable form. */
export function typeLabel(type: string): string {
  return TYPES[type] ?? humanize(type);
}

/** The text of the column "Description"; names the creator of a generation when known. */
export function transactionText(
  { transaction_type: type, description }: Pick<CreditTransaction, 'transaction_type' | 'description'>,
  creatorName: string | undefined,
): string {
  return type === 'deduction' && creatorName ? `Fan art with ${creatorName}` : description;
}

/** Transactions on one page of the history. */
export const TRANSACTIONS_PAGE_SIZE = 20;

/** Number of pages, at least one. */
export function totalPages(count: number, pageSize = TRANSACTIONS_PAGE_SIZE): number {
  return Math.max(1, Math.ceil(count / pageSize));
}
