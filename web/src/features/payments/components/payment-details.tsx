import type { CheckoutSession } from '../../../../../src/contract/payments.js';
import { Skeleton } from '../../../components/skeleton.js';
import { formatMoney } from '../../../lib/format.js';
import { isPaid } from '../verification.js';

interface PaymentDetailsProps {
  /** Null while unknown, or when it could not be read; then nothing is rendered, unless `busy`. */
  readonly session: CheckoutSession | null;
  readonly busy: boolean;
}

/** Amount, status, bundle and credits of a payment (fan spec, section 2, "Payment success"). */
export function PaymentDetails({ session, busy }: PaymentDetailsProps): React.ReactNode {
  if (session === null && !busy) return null;
  return (
    <section
      aria-labelledby="payment-details"
      aria-busy={session === null}
      className="mt-10 rounded-panel border border-line bg-surface p-5 sm:p-6 lg:mt-2 lg:w-[440px] lg:shrink-0"
    >
      <h2 id="payment-details" className="display-sm text-24">
        Payment Details
      </h2>
      <dl className="-mb-2 mt-3 divide-y divide-line">
        <Row term="Amount">{session && inCurrency(session)}</Row>
        <Row term="Status">{session?.payment_status.replaceAll('_', ' ')}</Row>
        <Row term="Bundle">{session && `${session.metadata.bundleId || 'Credit'} Package`}</Row>
        <Row term="Credits Added">
          {session && (isPaid(session) ? (session.metadata.bundleCredits ?? 'Pending') : 'Pending')}
        </Row>
      </dl>
    </section>
  );
}

function inCurrency({ amount_total: cents, currency = 'usd' }: CheckoutSession): string {
  return `${formatMoney(cents, currency)} ${currency.toUpperCase()}`;
}

function Row({ term, children }: { term: string; children: React.ReactNode }): React.ReactNode {
  return (
    <div className="flex min-h-[52px] items-center justify-between gap-6">
      <dt className="text-ink-2">{term}</dt>
      <dd className="min-w-0 break-words text-right font-[560] tabular-nums first-letter:uppercase">
        {children ?? <Skeleton className="h-5 w-24 rounded-sm" />}
      </dd>
    </div>
  );
}
