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
import type { ImageInfo } from '../../../../../src/contract/media.js';
import type { CreditTransaction } from '../../../../../src/contract/credits.js';
import { Button } from '../../../components/button.js';
import { Named } from '../../../components/name.js';
import { Pagination } from '../../../components/pagination.js';
import { Picture } from '../../../components/picture.js';
import { Table, type Column } from '../../../components/table.js';
import { formatShortDate, signed } from '../../../lib/format.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { totalPages, TRANSACTIONS_PAGE_SIZE, transactionText, typeLabel } from '../transaction-text.js';
import { ownWords } from '../../../lib/problem-of.js';

interface TransactionHistoryProps {
  /** For names. Without a creator, a row shows the description from the server. */
  readonly creators: readonly PublicCreator[];
}

/** The fan's credit transactions, newest first, twenty a page. */
export function TransactionHistory({ creators }: TransactionHistoryProps): React.ReactNode {
  const [page, setPage] = useState(1);
  const top = useRef<HTMLHeadingElement>(null);
  const rows = useRpc('get_user_transactions_by_jwt', { page_size: TRANSACTIONS_PAGE_SIZE, page_number: page });
  const count = useRpc('count_user_transactions_by_jwt', {});
  const pages = totalPages(count.data ?? 0);
  const imageOf = useImages(rows.data ?? []);
  const creatorOf = (row: CreditTransaction): PublicCreator | undefined =>
    creators.find(({ id }) => id === row.metadata.creator_id);

  return (
    <section aria-labelledby="history-title" aria-busy={rows.isPending} className="mt-8 sm:mt-9">
      <h2 id="history-title" ref={top} tabIndex={-1} className="display-sm scroll-mt-20 text-32 outline-none">
        Transaction History
      </h2>
      <Table
        caption="Transactions"
        columns={columnsWith(creatorOf, imageOf)}
        rows={rows.data}
        rowKey={({ id }) => id}
        stacked={(row) => <StackedRow row={row} creator={creatorOf(row)} image={imageOf(row)} />}
        stale={rows.isPlaceholderData}
        loadingLabel="Loading transactions"
        error={
          rows.isError
            ? {
                className: 'mt-6',
                title: 'Error loading transactions',
                retryLabel: 'Refresh',
                onRetry: () => void rows.refetch(),
                retrying: rows.isFetching,
                children: `${ownWords(rows.error) ?? 'Failed to load transactions.'} Your credits are safe.`,
              }
            : null
        }
        empty={{
          className: 'mt-6',
          title: 'Nothing has happened yet',
          children: 'Credits that you get or spend will be listed here.',
          action: (
            <Link to="/" className="link">
              Choose a creator
            </Link>
          ),
        }}
      />
      {((count.isError && count.data === undefined) || page > 1 || pages > 1) && (
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
              pages={pages}
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

type CreatorOf = (row: CreditTransaction) => PublicCreator | undefined;
type ImageOf = (row: CreditTransaction) => ImageInfo | undefined;

/** The pictures that the credits of these rows made. */
function useImages(rows: readonly CreditTransaction[]): ImageOf {
  const ids = rows.flatMap(({ transaction_type: type, reference_id: id }) => (type === 'deduction' && id ? [id] : []));
  const { data = [] } = useRpc(
    'get_own_generation_images_by_jwt',
    { p_generation_ids: ids },
    { enabled: ids.length > 0 },
  );
  return ({ transaction_type: type, reference_id: id }) =>
    type === 'deduction' ? data.find((row) => row.id === id)?.image : undefined;
}

function columnsWith(creatorOf: CreatorOf, imageOf: ImageOf): readonly Column<CreditTransaction>[] {
  return [
    {
      id: 'date',
      header: 'Date',
      muted: true,
      className: 'w-40 whitespace-nowrap tabular-nums',
      cell: ({ created_at: at }) => <time dateTime={at}>{formatShortDate(at)}</time>,
    },
    {
      id: 'description',
      header: 'Description',
      cell: (row) => (
        <span className="flex items-center gap-3.5">
          <Mark row={row} image={imageOf(row)} />
          <What row={row} creator={creatorOf(row)} />
        </span>
      ),
    },
    {
      id: 'type',
      header: 'Type',
      muted: true,
      className: 'w-40',
      cell: (row) => typeLabel(row.transaction_type),
    },
    { id: 'amount', header: 'Amount', numeric: true, className: 'w-28', cell: (row) => <Amount amount={row.amount} /> },
    {
      id: 'balance',
      header: 'Balance',
      numeric: true,
      muted: true,
      className: 'w-28',
      cell: (row) => row.balance_after.toLocaleString('en'),
    },
  ];
}

function StackedRow({ row, creator, image }: RowProps & MarkProps): React.ReactNode {
  return (
    <>
      <Mark row={row} image={image} />
      <span className="min-w-0 flex-1">
        <What row={row} creator={creator} />
        <span className="block text-14 text-ink-2">
          <time dateTime={row.created_at}>{formatShortDate(row.created_at)}</time>{' '}
          <span>· {typeLabel(row.transaction_type)}</span>
        </span>
      </span>
      <span className="text-right tabular-nums">
        <span className="block">
          <span className="sr-only">Amount </span>
          <Amount amount={row.amount} />
        </span>
        <span className="block text-14 text-ink-2">
          <span className="sr-only">Balance </span>
          <span>{row.balance_after.toLocaleString('en')}</span>
        </span>
      </span>
    </>
  );
}

interface RowProps {
  readonly row: CreditTransaction;
  readonly creator: PublicCreator | undefined;
}

function What({ row, creator }: RowProps): React.ReactNode {
  const text = <Named text={transactionText(row, creator?.name)} name={creator?.name} />;
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

interface MarkProps {
  readonly row: CreditTransaction;
  /** The picture that the credits made, when there is one. */
  readonly image: ImageInfo | undefined;
}

function Mark({ row, image }: MarkProps): React.ReactNode {
  if (image) {
    return <Picture image={image} alt="" sizes="40px" ratio="1 / 1" className="size-10 shrink-0 rounded-[10px]" />;
  }
  const Icon = ICONS[row.transaction_type] ?? Coins;
  return (
    <span aria-hidden className="flex size-10 shrink-0 items-center justify-center rounded-[10px] bg-raised text-ink-2">
      <Icon className="size-[18px]" />
    </span>
  );
}

function Amount({ amount }: { amount: number }): React.ReactNode {
  return <span className={amount > 0 ? 'text-good' : undefined}>{signed(amount)}</span>;
}
