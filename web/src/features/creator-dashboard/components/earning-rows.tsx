import {
  createColumnHelper,
  rowExpandingFeature,
  tableFeatures,
  useTable,
  type Row as TableRow,
} from '@tanstack/react-table';
import { ChevronDown, CreditCard, RotateCcw, Sun, Undo2 } from 'lucide-react';
import { Fragment, useId, useState } from 'react';
import type { CreatorEarning, PayoutCutoffs } from '../../../../../src/contract/revenue.js';
import { HeadCells } from '../../../components/head-cells.js';
import { Picture } from '../../../components/picture.js';
import { WHOLE_ROW } from '../../../components/whole-row.js';
import { cx } from '../../../lib/cx.js';
import { formatShortDate } from '../../../lib/format.js';
import { NOT_MOBILE, useMedia } from '../../../lib/use-media.js';
import { paidWith, stateText } from '../earning-text.js';
import { money } from '../money.js';
import { EarningDetails } from './earning-details.js';

const features = tableFeatures({ rowExpandingFeature });
type Row = TableRow<typeof features, CreatorEarning>;
const helper = createColumnHelper<typeof features, CreatorEarning>();
const columns = helper.columns([
  helper.accessor('occurred_at', { header: 'Delivered' }),
  helper.accessor('prompt', { header: 'Picture' }),
  helper.accessor('paid', { header: 'Paid with' }),
  helper.accessor('payable_at', { header: 'State' }),
  helper.accessor('creator_cents', { header: 'Your half' }),
]);

interface EarningRowsProps {
  readonly rows: readonly CreatorEarning[];
  readonly cutoffs: PayoutCutoffs | null;
}

/** Rows of earnings that unfold into their sum and their life: a table, on phones a list. */
export function EarningRows({ rows, cutoffs }: EarningRowsProps): React.ReactNode {
  const wide = useMedia(NOT_MOBILE);
  const [now] = useState(() => new Date());
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: ({ id }) => id,
    getRowCanExpand: ({ original }) => original.kind !== 'free',
  });
  const items = table.getRowModel().rows;
  const List = wide ? WideRows : PhoneRows;
  return <List rows={items} now={now} cutoffs={cutoffs} />;
}

interface RowsProps {
  readonly rows: readonly Row[];
  readonly now: Date;
  readonly cutoffs: PayoutCutoffs | null;
}

function WideRows({ rows, now, cutoffs }: RowsProps): React.ReactNode {
  const id = useId();
  return (
    <table className="w-full table-fixed border-collapse text-14">
      <caption className="sr-only">Latest Earnings</caption>
      <thead>
        <tr className="h-9 border-b border-line text-left text-13 text-ink-2 [&>th]:px-3 [&>th]:font-[400] [&>th:first-child]:pl-0 [&>th:last-child]:pr-0">
          <HeadCells
            cells={[
              ['Delivered', 'w-[132px]'],
              ['Picture'],
              ['Paid with', 'w-[176px]'],
              ['State', 'w-[176px]'],
              ['Your half', 'w-[110px] text-right'],
            ]}
          />
          <td className="w-11" />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const { original } = row;
          const open = row.getIsExpanded();
          const detailsId = `${id}-${row.id}`;
          return (
            <Fragment key={row.id}>
              <tr
                {...WHOLE_ROW}
                className={cx(
                  'h-11 border-b border-line [&>td]:px-3 [&>td:first-child]:pl-0 [&>td:last-child]:pr-0',
                  row.getCanExpand() && 'cursor-pointer',
                  open && 'bg-surface',
                )}
              >
                <td className="tabular-nums text-ink-2">{formatShortDate(original.occurred_at, now, 'UTC')}</td>
                <td>
                  <span className="flex min-w-0 items-center gap-3">
                    <Thumb earning={original} className="size-8 rounded-[7px]" />
                    <RowTitle row={row} detailsId={detailsId} />
                  </span>
                </td>
                <td className="text-ink-2">
                  <span className="inline-flex items-center gap-1.5">
                    <KindIcon kind={original.kind} />
                    <span>{paidWith(original)}</span>
                  </span>
                </td>
                <td className="text-ink-2">{stateText(original, now, cutoffs)}</td>
                <td className={cx('text-right tabular-nums', amountLook(original))}>{money(original.creator_cents)}</td>
                <td className="text-right">{row.getCanExpand() && <Chevron open={open} />}</td>
              </tr>
              {open && (
                <tr id={detailsId} className="border-b border-line bg-surface">
                  <td colSpan={6}>
                    <EarningDetails row={original} now={now} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function PhoneRows({ rows, now, cutoffs }: RowsProps): React.ReactNode {
  const id = useId();
  return (
    <ul aria-label="Latest Earnings">
      {rows.map((row) => {
        const { original } = row;
        const detailsId = `${id}-${row.id}`;
        return (
          <li key={row.id} className="border-b border-line">
            <div className="relative grid grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-3 py-3 text-14 [&_button]:after:absolute [&_button]:after:inset-0">
              <Thumb earning={original} className="row-span-2 size-10 rounded-sm" />
              <RowTitle row={row} detailsId={detailsId} />
              <span className={cx('flex items-center justify-end gap-1 tabular-nums', amountLook(original))}>
                <span>{money(original.creator_cents)}</span>
                {row.getCanExpand() && <Chevron open={row.getIsExpanded()} />}
              </span>
              <span className="tabular-nums text-ink-2">{formatShortDate(original.occurred_at, now, 'UTC')}</span>
              <span className="text-right text-ink-2">{stateText(original, now, cutoffs)}</span>
            </div>
            {row.getIsExpanded() && (
              <div id={detailsId}>
                <EarningDetails row={original} now={now} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The prompt; a button when the row unfolds. */
function RowTitle({ row, detailsId }: { row: Row; detailsId: string }): React.ReactNode {
  const { prompt } = row.original;
  const title = prompt ?? 'Picture deleted or private';
  const look = cx('min-w-0 truncate text-left', prompt === null && 'text-ink-2');
  if (!row.getCanExpand()) return <span className={look}>{title}</span>;
  const open = row.getIsExpanded();
  return (
    <button
      type="button"
      className={cx(look, 'min-h-6')}
      data-row
      aria-expanded={open}
      aria-controls={open ? detailsId : undefined}
      onClick={row.getToggleExpandedHandler()}
    >
      {title}
    </button>
  );
}

function Thumb({ earning, className }: { earning: CreatorEarning; className: string }): React.ReactNode {
  const look = cx('shrink-0 bg-hover', className);
  return earning.image ? (
    <Picture image={earning.image} alt="" sizes="40px" ratio="1" className={look} />
  ) : (
    <span aria-hidden className={look} />
  );
}

const ICONS = { earning: CreditCard, free: Sun, correction: Undo2, restoration: RotateCcw } as const;

function KindIcon({ kind }: Pick<CreatorEarning, 'kind'>): React.ReactNode {
  const Icon = ICONS[kind];
  return <Icon aria-hidden className="size-4 shrink-0" />;
}

function Chevron({ open }: { open: boolean }): React.ReactNode {
  return <ChevronDown aria-hidden className={cx('size-4 shrink-0 text-ink-2 sm:ml-auto', open && 'rotate-180')} />;
}

function amountLook({ creator_cents: cents }: CreatorEarning): string {
  return cents === 0 ? 'text-ink-3' : cents < 0 ? 'font-[600] text-bad' : 'font-[600]';
}
