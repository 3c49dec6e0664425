import { ExternalLink } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Purchase } from '../../../../../src/contract/payments.js';
import { Badge } from '../../../components/badge.js';
import { PagesNav } from '../../../components/pagination.js';
import { Table, type Column } from '../../../components/table.js';
import { processorAddress } from '../checkout.js';
import { formatMoney, formatShortDate } from '../../../lib/format.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { purchaseStatus } from '../purchase-text.js';
import { problemOf } from '../../../lib/problem-of.js';

const PER_PAGE = 10;

/** The fan's purchases with receipts, newest first, ten a page. Renders nothing without purchases. */
export function Purchases(): React.ReactNode {
  const [page, setPage] = useState(0);
  const title = useRef<HTMLHeadingElement>(null);
  // One more than a page shows: whether there is another one.
  const query = useRpc('get_user_purchases_by_jwt', { p_limit: PER_PAGE + 1, p_offset: page * PER_PAGE });
  const { data, error, isError, isFetching, isPlaceholderData, refetch } = query;
  if (data?.length === 0 || (!data && !isError)) return null;
  const shown = data?.slice(0, PER_PAGE);
  const goTo = (next: number) => () => {
    setPage(next);
    title.current?.scrollIntoView();
    title.current?.focus({ preventScroll: true });
  };
  const hasNext = !isPlaceholderData && data !== undefined && data.length > PER_PAGE;
  return (
    <section aria-labelledby="purchases-title" className="mt-12 sm:mt-16">
      <h2 id="purchases-title" ref={title} tabIndex={-1} className="display-sm scroll-mt-20 text-32 outline-none">
        Purchases
      </h2>
      <Table
        caption="Purchases"
        columns={COLUMNS}
        rows={shown}
        rowKey={({ id }) => id}
        stale={isPlaceholderData}
        stacked={(purchase) => <StackedRow purchase={purchase} />}
        error={{
          className: 'mt-6',
          title: 'Error loading purchases',
          retryLabel: 'Refresh',
          onRetry: () => void refetch(),
          retrying: isFetching,
          children: `${problemOf(error) ?? ''} Your credits are safe.`,
        }}
      />
      {(page > 0 || hasNext) && (
        <div className="mt-4">
          <PagesNav
            label="Pages of purchases"
            text={`Page ${page + 1}`}
            previous={page === 0 ? null : goTo(page - 1)}
            next={hasNext ? goTo(page + 1) : null}
          />
        </div>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<Purchase>[] = [
  {
    id: 'date',
    header: 'Date',
    muted: true,
    className: 'w-40 whitespace-nowrap tabular-nums',
    cell: (purchase) => <Day purchase={purchase} />,
  },
  { id: 'bundle', header: 'Bundle', cell: describe },
  { id: 'status', header: 'Status', className: 'w-40', cell: (purchase) => <Status purchase={purchase} /> },
  {
    id: 'paid',
    header: 'Paid',
    numeric: true,
    className: 'w-28',
    cell: (purchase) => formatMoney(purchase.amount_cents, purchase.currency),
  },
  {
    id: 'receipt',
    header: 'Receipt',
    numeric: true,
    className: 'w-28',
    cell: (purchase) => <Receipt purchase={purchase} />,
  },
];

function StackedRow({ purchase }: PurchaseProps): React.ReactNode {
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className="block">{describe(purchase)}</span>
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
    </>
  );
}

interface PurchaseProps {
  readonly purchase: Purchase;
}

function describe({ bundle_name: name, credits }: Purchase): string {
  return `${name}, ${credits.toLocaleString('en')} credits`;
}

function Day({ purchase }: PurchaseProps): React.ReactNode {
  return <time dateTime={purchase.purchased_at}>{formatShortDate(purchase.purchased_at)}</time>;
}

function Status({ purchase }: PurchaseProps): React.ReactNode {
  const text = purchaseStatus(purchase);
  if (purchase.status === 'paid') return <span className="text-ink-2">{text}</span>;
  return <Badge tone={purchase.status === 'disputed' ? 'bad' : 'warn'}>{text}</Badge>;
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
        for {describe(purchase)}, {formatShortDate(purchase.purchased_at)} (opens in a new tab)
      </span>
    </a>
  );
}
