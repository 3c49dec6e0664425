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

interface EarningRowsProps {
  readonly rows: readonly CreatorEarning[];
  readonly cutoffs: PayoutCutoffs | null;
}

/** Rows of earnings that unfold into their sum and their life: a table, on phones a list. */
export function EarningRows({ rows, cutoffs }: EarningRowsProps): React.ReactNode {
  const wide = useMedia(NOT_MOBILE);
  const [now] = useState(() => new Date());
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const lines = rows.map((row) => ({
    row,
    open: open.has(row.id),
    toggle: row.kind === 'free' ? null : () => toggle(row.id),
  }));
  const List = wide ? WideRows : PhoneRows;
  return <List lines={lines} now={now} cutoffs={cutoffs} />;
}

interface Line {
  readonly row: CreatorEarning;
  readonly open: boolean;
  /** Null where there is nothing to unfold. */
  readonly toggle: (() => void) | null;
}

interface LinesProps {
  readonly lines: readonly Line[];
  readonly now: Date;
  readonly cutoffs: PayoutCutoffs | null;
}

function WideRows({ lines, now, cutoffs }: LinesProps): React.ReactNode {
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
        {lines.map((line) => {
          const { row, open } = line;
          const detailsId = `${id}-${row.id}`;
          return (
            <Fragment key={row.id}>
              <tr
                {...WHOLE_ROW}
                className={cx(
                  'h-11 border-b border-line [&>td]:px-3 [&>td:first-child]:pl-0 [&>td:last-child]:pr-0',
                  line.toggle && 'cursor-pointer',
                  open && 'bg-surface',
                )}
              >
                <td className="tabular-nums text-ink-2">{formatShortDate(row.occurred_at, now, 'UTC')}</td>
                <td>
                  <span className="flex min-w-0 items-center gap-3">
                    <Thumb earning={row} className="size-8 rounded-[7px]" />
                    <RowTitle line={line} detailsId={detailsId} />
                  </span>
                </td>
                <td className="text-ink-2">
                  <span className="inline-flex items-center gap-1.5">
                    <KindIcon kind={row.kind} />
                    <span>{paidWith(row)}</span>
                  </span>
                </td>
                <td className="text-ink-2">{stateText(row, now, cutoffs)}</td>
                <td className={cx('text-right tabular-nums', amountLook(row))}>{money(row.creator_cents)}</td>
                <td className="text-right">{line.toggle && <Chevron open={open} />}</td>
              </tr>
              {open && (
                <tr id={detailsId} className="border-b border-line bg-surface">
                  <td colSpan={6}>
                    <EarningDetails row={row} now={now} />
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

function PhoneRows({ lines, now, cutoffs }: LinesProps): React.ReactNode {
  const id = useId();
  return (
    <ul aria-label="Latest Earnings">
      {lines.map((line) => {
        const { row, open } = line;
        const detailsId = `${id}-${row.id}`;
        return (
          <li key={row.id} className="border-b border-line">
            <div className="relative grid grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-3 py-3 text-14 [&_button]:after:absolute [&_button]:after:inset-0">
              <Thumb earning={row} className="row-span-2 size-10 rounded-sm" />
              <RowTitle line={line} detailsId={detailsId} />
              <span className={cx('flex items-center justify-end gap-1 tabular-nums', amountLook(row))}>
                <span>{money(row.creator_cents)}</span>
                {line.toggle && <Chevron open={open} />}
              </span>
              <span className="tabular-nums text-ink-2">{formatShortDate(row.occurred_at, now, 'UTC')}</span>
              <span className="text-right text-ink-2">{stateText(row, now, cutoffs)}</span>
            </div>
            {open && (
              <div id={detailsId}>
                <EarningDetails row={row} now={now} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The prompt; a button when the row unfolds. */
function RowTitle({ line, detailsId }: { line: Line; detailsId: string }): React.ReactNode {
  const { row, open, toggle } = line;
  const { prompt } = row;
  const title = prompt ?? 'Picture deleted or private';
  const look = cx('min-w-0 truncate text-left', prompt === null && 'text-ink-2');
  const translate = prompt === null ? undefined : 'no';
  if (!toggle) {
    return (
      <span translate={translate} className={look}>
        {title}
      </span>
    );
  }
  return (
    <button
      type="button"
      translate={translate}
      className={cx(look, 'min-h-6')}
      data-row
      aria-expanded={open}
      aria-controls={open ? detailsId : undefined}
      onClick={toggle}
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
