import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { Purchase } from '../../../../../src/contract/payments.js';
import { Badge } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { ErrorState } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { useMedia } from '../../../lib/use-media.js';
import { processorAddress } from '../checkout.js';
import { formatMoney, formatShortDate } from '../../../lib/format.js';
import { usePurchases } from '../api/get-user-purchases.js';
import { purchaseStatus } from '../purchase-text.js';

/** So many are shown, and so many more when someone asks. */
const FIRST = 5;
const MORE = 20;

/** What the fan has bought, newest first, with the receipts; nothing for those who never bought. */
export function Purchases(): React.ReactNode {
  const [limit, setLimit] = useState(FIRST);
  const wide = useMedia('(min-width: 640px)');
  const { data, error, isError, isFetching, refetch } = usePurchases(limit + 1);
  if (data?.length === 0 || (!data && !isError)) return null;
  const shown = data?.slice(0, limit);
  return (
    <section aria-labelledby="purchases-title" className="mt-12 sm:mt-16">
      <h2 id="purchases-title" className="display-sm text-32">
        Purchases
      </h2>
      {!shown && (
        <ErrorState
          className="mt-6"
          title="Error loading purchases"
          retryLabel="Refresh"
          onRetry={() => void refetch()}
          retrying={isFetching}
        >
          {error?.message} Your credits are safe.
        </ErrorState>
      )}
      {shown && (wide ? <Table purchases={shown} /> : <List purchases={shown} />)}
      {data && data.length > limit && (
        <Button size={32} className="mt-4" onClick={() => setLimit(limit + MORE)}>
          Show more
        </Button>
      )}
    </section>
  );
}

interface PurchasesProps {
  readonly purchases: readonly Purchase[];
}

const HEAD = 'py-3 text-14 font-[400] text-ink-2';

function Table({ purchases }: PurchasesProps): React.ReactNode {
  return (
    <table className="mt-3 w-full border-collapse text-16">
      <thead>
        <tr className="border-b border-line text-left">
          <th className={cx(HEAD, 'w-40')}>Date</th>
          <th className={HEAD}>Bundle</th>
          <th className={cx(HEAD, 'w-40')}>Status</th>
          <th className={cx(HEAD, 'w-28 text-right')}>Paid</th>
          <th className={cx(HEAD, 'w-28 text-right')}>Receipt</th>
        </tr>
      </thead>
      <tbody>
        {purchases.map((purchase) => (
          <tr key={purchase.id} className="h-[61px] border-b border-line">
            <td className="whitespace-nowrap tabular-nums text-ink-2">
              <Day purchase={purchase} />
            </td>
            <td>{what(purchase)}</td>
            <td>
              <Status purchase={purchase} />
            </td>
            <td className="text-right tabular-nums">{formatMoney(purchase.amount_cents, purchase.currency)}</td>
            <td className="text-right">
              <Receipt purchase={purchase} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function List({ purchases }: PurchasesProps): React.ReactNode {
  return (
    <ul className="mt-2">
      {purchases.map((purchase) => (
        <li key={purchase.id} className="flex min-h-[70px] items-center gap-3.5 border-b border-line py-2">
          <span className="min-w-0 flex-1">
            <span className="block">{what(purchase)}</span>
            <span className="block text-14 text-ink-2">
              <Day purchase={purchase} />
            </span>
            {purchase.status !== 'paid' && (
              <span className="mt-1 block">
                <Status purchase={purchase} />
              </span>
            )}
          </span>
          <span className="text-right">
            <span className="block tabular-nums">{formatMoney(purchase.amount_cents, purchase.currency)}</span>
            <Receipt purchase={purchase} />
          </span>
        </li>
      ))}
    </ul>
  );
}

interface PurchaseProps {
  readonly purchase: Purchase;
}

function what({ bundle_name: name, credits }: Purchase): string {
  return `${name}, ${credits.toLocaleString('en')} credits`;
}

function Day({ purchase }: PurchaseProps): React.ReactNode {
  return <time dateTime={purchase.purchased_at}>{formatShortDate(purchase.purchased_at, new Date())}</time>;
}

function Status({ purchase }: PurchaseProps): React.ReactNode {
  const words = purchaseStatus(purchase);
  if (purchase.status === 'paid') return <span className="text-ink-2">{words}</span>;
  return <Badge tone={purchase.status === 'disputed' ? 'bad' : 'warn'}>{words}</Badge>;
}

function Receipt({ purchase }: PurchaseProps): React.ReactNode {
  const address = processorAddress(purchase.receipt_url, window.location.origin);
  if (address === null) return <span className="text-14 text-ink-2">No receipt</span>;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      className="link inline-flex min-h-6 items-center gap-1.5 text-14"
    >
      Receipt
      <ExternalLink aria-hidden className="size-3.5" />
      <span className="sr-only">
        {' '}
        for {what(purchase)}, {formatShortDate(purchase.purchased_at, new Date())} (opens in a new tab)
      </span>
    </a>
  );
}
