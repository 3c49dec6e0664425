import {
  CalendarX2,
  CircleMinus,
  CirclePlus,
  Coins,
  CreditCard,
  Gift,
  HandCoins,
  ImageIcon,
  PencilLine,
  Sun,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { PublicCreator } from '../../../../../src/contract/gallery.js';
import type { CreditTransaction } from '../../../../../src/contract/credits.js';
import { Avatar } from '../../../components/avatar.js';
import { Button } from '../../../components/button.js';
import { Pagination } from '../../../components/pagination.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState, ErrorState } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { useMedia } from '../../../lib/use-media.js';
import { formatShortDate } from '../../../lib/format.js';
import { useTransactionCount } from '../api/count-user-transactions.js';
import { useTransactions } from '../api/get-user-transactions.js';
import { signedAmount, totalPages, transactionText, typeLabel } from '../transaction-text.js';

interface TransactionHistoryProps {
  /** For names and portraits. Without a creator, a row shows the description from the server. */
  readonly creators: readonly PublicCreator[];
}

/** Every movement of the fan's credits, twenty a page, newest first. */
export function TransactionHistory({ creators }: TransactionHistoryProps): React.ReactNode {
  const [page, setPage] = useState(1);
  const top = useRef<HTMLHeadingElement>(null);
  const wide = useMedia('(min-width: 640px)');
  const rows = useTransactions(page);
  const count = useTransactionCount();
  const creatorOf = (row: CreditTransaction): PublicCreator | undefined =>
    creators.find(({ id }) => id === row.metadata.creator_id);

  return (
    <section aria-labelledby="history-title" aria-busy={rows.isPending} className="mt-8 sm:mt-9">
      <h2 id="history-title" ref={top} tabIndex={-1} className="display-sm scroll-mt-20 text-32 outline-none">
        Transaction History
      </h2>
      {rows.isPending && <Loading />}
      {rows.isError && !rows.data && (
        <ErrorState
          className="mt-6"
          title="Error loading transactions"
          retryLabel="Refresh"
          onRetry={() => void rows.refetch()}
          retrying={rows.isFetching}
        >
          {rows.error.message || 'Failed to load transactions.'} Your credits are safe.
        </ErrorState>
      )}
      {rows.data?.length === 0 && (
        <EmptyState
          className="mt-6"
          title="Nothing has happened yet"
          action={
            <Link to="/" className="link">
              Choose a creator
            </Link>
          }
        >
          Credits that you get or spend will be listed here.
        </EmptyState>
      )}
      {rows.data && rows.data.length > 0 && (
        <div className={cx('transition-opacity duration-[var(--dur-1)]', rows.isPlaceholderData && 'opacity-60')}>
          {wide ? <Table rows={rows.data} creatorOf={creatorOf} /> : <List rows={rows.data} creatorOf={creatorOf} />}
        </div>
      )}
      {(page > 1 || (rows.data && rows.data.length > 0)) && (
        <div className="mt-4">
          {count.isError && count.data === undefined ? (
            <p className="flex items-center gap-3 text-14 text-ink-2">
              The number of pages could not be loaded.
              <Button size={32} onClick={() => void count.refetch()}>
                Refresh
              </Button>
            </p>
          ) : (
            <Pagination
              page={page}
              pages={totalPages(count.data ?? 0)}
              onPage={(next) => {
                setPage(next);
                top.current?.scrollIntoView();
                top.current?.focus({ preventScroll: true });
              }}
            />
          )}
        </div>
      )}
    </section>
  );
}

interface RowsProps {
  readonly rows: readonly CreditTransaction[];
  readonly creatorOf: (row: CreditTransaction) => PublicCreator | undefined;
}

const HEAD = 'py-3 text-14 font-[400] text-ink-2';

function Table({ rows, creatorOf }: RowsProps): React.ReactNode {
  return (
    <table className="mt-3 w-full border-collapse text-16">
      <thead>
        <tr className="border-b border-line text-left">
          <th className={cx(HEAD, 'w-40')}>Date</th>
          <th className={HEAD}>Description</th>
          <th className={cx(HEAD, 'w-40')}>Type</th>
          <th className={cx(HEAD, 'w-28 text-right')}>Amount</th>
          <th className={cx(HEAD, 'w-28 text-right')}>Balance</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="h-[61px] border-b border-line">
            <td className="whitespace-nowrap tabular-nums text-ink-2">
              <time dateTime={row.created_at}>{formatShortDate(row.created_at, new Date())}</time>
            </td>
            <td>
              <span className="flex items-center gap-3.5">
                <Mark row={row} creator={creatorOf(row)} />
                <What row={row} creator={creatorOf(row)} />
              </span>
            </td>
            <td className="text-ink-2">{typeLabel(row.transaction_type)}</td>
            <td className="text-right tabular-nums">
              <Amount amount={row.amount} />
            </td>
            <td className="text-right tabular-nums text-ink-2">{row.balance_after.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function List({ rows, creatorOf }: RowsProps): React.ReactNode {
  return (
    <ul className="mt-2">
      {rows.map((row) => (
        <li key={row.id} className="flex min-h-[70px] items-center gap-3.5 border-b border-line py-2">
          <Mark row={row} creator={creatorOf(row)} />
          <span className="min-w-0 flex-1">
            <What row={row} creator={creatorOf(row)} />
            <span className="block text-14 text-ink-2">
              <time dateTime={row.created_at}>{formatShortDate(row.created_at, new Date())}</time> ·{' '}
              {typeLabel(row.transaction_type)}
            </span>
          </span>
          <span className="text-right tabular-nums">
            <span className="block">
              <span className="sr-only">Amount </span>
              <Amount amount={row.amount} />
            </span>
            <span className="block text-14 text-ink-2">
              <span className="sr-only">Balance </span>
              {row.balance_after.toLocaleString('en')}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  readonly row: CreditTransaction;
  readonly creator: PublicCreator | undefined;
}

function What({ row, creator }: RowProps): React.ReactNode {
  const text = transactionText(row, creator?.name);
  if (!row.reference_id || (row.transaction_type !== 'deduction' && row.transaction_type !== 'refund')) {
    return <span className="block">{text}</span>;
  }
  return (
    <Link
      to={`/generation/${encodeURIComponent(row.reference_id)}`}
      className="block underline-offset-4 hover:underline"
    >
      {text}
    </Link>
  );
}

const ICONS: Partial<Record<string, LucideIcon>> = {
  signup_bonus: Gift,
  bonus_grant: Gift,
  daily_grant: Sun,
  deduction: ImageIcon,
  refund: Undo2,
  expiry: CalendarX2,
  purchase: CreditCard,
  purchase_reversal: CircleMinus,
  purchase_reinstatement: CirclePlus,
  debt_repayment: HandCoins,
  adjustment: PencilLine,
};

function Mark({ row, creator }: RowProps): React.ReactNode {
  if (row.transaction_type === 'deduction' && creator) {
    return <Avatar name={creator.name} image={creator.profile} src={creator.profile_image} shape="tile" />;
  }
  const Icon = ICONS[row.transaction_type] ?? Coins;
  return (
    <span aria-hidden className="flex size-10 shrink-0 items-center justify-center rounded-[10px] bg-raised text-ink-2">
      <Icon className="size-[18px]" />
    </span>
  );
}

function Amount({ amount }: { amount: number }): React.ReactNode {
  return <span className={amount > 0 ? 'text-good' : undefined}>{signedAmount(amount)}</span>;
}

function Loading(): React.ReactNode {
  return (
    <div className="mt-4">
      <p role="status" className="sr-only">
        Loading transactions
      </p>
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="flex h-[61px] items-center gap-3.5 border-b border-line">
          <Skeleton className="size-10 rounded-[10px]" />
          <Skeleton className="h-5 w-1/3 rounded-sm" />
          <Skeleton className="ml-auto h-5 w-16 rounded-sm" />
        </div>
      ))}
    </div>
  );
}
