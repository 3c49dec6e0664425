import { cx } from '../lib/cx.js';
import { NOT_MOBILE, useMedia } from '../lib/use-media.js';
import { Loading } from './loading.js';
import { Skeleton } from './skeleton.js';
import { EmptyState, ErrorState } from './states.js';

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => React.ReactNode;
  /** Aligned right, in figures of equal width. */
  readonly numeric?: boolean;
  /** Secondary text colour. */
  readonly muted?: boolean;
  /** For the width, on header and cells. */
  readonly className?: string;
}

interface TableProps<Row> {
  /** Name of the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while nothing has been loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** A row on a narrow screen. */
  readonly stacked: (row: Row) => React.ReactNode;
  /** Shown instead of a table without rows. */
  readonly empty?: React.ComponentProps<typeof EmptyState>;
  /** Shown while there are no rows because they could not be loaded. */
  readonly error?: React.ComponentProps<typeof ErrorState> | null;
  /** Announced while the first rows load. */
  readonly loadingLabel?: string;
  /** Other rows are loading: these are dimmed. */
  readonly stale?: boolean;
}

const HEAD = 'py-3 text-14 font-[400] text-ink-2';
const SKELETON_ROWS = 6;

/** Rows of data: a table on wide screens, a list on phones, with their loading, empty and error states. */
export function Table<Row>(props: TableProps<Row>): React.ReactNode {
  const { rows, error, empty, loadingLabel = 'Loading', stale = false } = props;
  const wide = useMedia(NOT_MOBILE);
  if (rows === undefined) return error ? <ErrorState {...error} /> : <LoadingRows label={loadingLabel} />;
  if (rows.length === 0) return empty ? <EmptyState {...empty} /> : null;
  return (
    <div className={cx('transition-opacity duration-[var(--dur-1)]', stale && 'opacity-60')} aria-busy={stale}>
      {wide ? <WideTable {...props} rows={rows} /> : <StackedRows {...props} rows={rows} />}
    </div>
  );
}

type Loaded<Row> = TableProps<Row> & { readonly rows: readonly Row[] };

function WideTable<Row>({ caption, columns, rows, rowKey }: Loaded<Row>): React.ReactNode {
  return (
    <table className="mt-3 w-full border-collapse text-16">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-left">
          {columns.map(({ id, header, numeric, className }) => (
            <th key={id} scope="col" className={cx(HEAD, numeric && 'text-right', className)}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} className="h-[61px] border-b border-line">
            {columns.map(({ id, cell, numeric, muted, className }) => (
              <td key={id} className={cx(numeric && 'text-right tabular-nums', muted && 'text-ink-2', className)}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function StackedRows<Row>({ caption, rows, rowKey, stacked }: Loaded<Row>): React.ReactNode {
  return (
    <ul aria-label={caption} className="mt-2">
      {rows.map((row) => (
        <li key={rowKey(row)} className="flex min-h-[70px] items-center gap-3.5 border-b border-line py-2">
          {stacked(row)}
        </li>
      ))}
    </ul>
  );
}

function LoadingRows({ label }: { label: string }): React.ReactNode {
  return (
    <Loading text={label} className="mt-4">
      {Array.from({ length: SKELETON_ROWS }, (_, index) => (
        <div key={index} className="flex h-[61px] items-center gap-3.5 border-b border-line">
          <Skeleton className="size-10 rounded-[10px]" />
          <Skeleton className="h-5 w-1/3 rounded-sm" />
          <Skeleton className="ml-auto h-5 w-16 rounded-sm" />
        </div>
      ))}
    </Loading>
  );
}
