import type { Purchase } from '../../../../src/contract/payments.js';
import { formatMoney, humanize } from '../../lib/format.js';

/** The status of a purchase in words. An unknown status is shown in readable form. */
export function purchaseStatus({ status, refunded_cents, currency }: Purchase): string {
  switch (status) {
    case 'paid':
      return 'Paid';
    case 'partially_refunded':
      return `${formatMoney(refunded_cents, currency)} refunded`;
    case 'refunded':
      return 'Refunded';
    case 'disputed':
      return 'Disputed';
    default:
      return humanize(status);
  }
}
