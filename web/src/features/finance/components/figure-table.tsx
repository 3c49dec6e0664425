import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { copyText } from '../../../components/copy.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { ListRows, type ListColumn } from '../../../components/work-area/list-rows.js';
import { cx } from '../../../lib/cx.js';
import { NOT_MOBILE, useMedia } from '../../../lib/use-media.js';
import { amount, count } from '../finance-text.js';

/** A column of figures. */
export interface FigureColumn {
  readonly label: string;
  /** Above the labels of neighbouring columns; the first column of a group has a line on its left. */
  readonly group?: string;
  /** Credits instead of dollars. */
  readonly credits?: boolean;
  /** Added or taken away: shown with a plus when it is positive. */
  readonly change?: boolean;
  /** A sum. */
  readonly strong?: boolean;
  /** Repeats a figure of another row. */
  readonly muted?: boolean;
  /** On phones it is below the name of the row. */
  readonly belowOnPhones?: boolean;
}

/** A figure of a row. */
export interface Figure {
  /** US cents, or credits. Null: unknown. Undefined: there is no such figure. */
  readonly value: number | null | undefined;
  /** The page with what makes it up. */
  readonly to?: string | undefined;
}

/** A row of figures, one for each column. */
export interface FigureRow {
  readonly key: string;
  /** For screen readers and the copied text: `October 2026`. */
  readonly name: string;
  /** The content of the first cell. */
  readonly head: React.ReactNode;
  readonly figures: readonly Figure[];
}

interface FigureTableProps {
  readonly caption: string;
  /** Above the names of the rows. */
  readonly head: string;
  readonly columns: readonly FigureColumn[];
  readonly rows: readonly FigureRow[];
  /** The sums. */
  readonly foot?: FigureRow;
  /** Scrolls sideways with its first column held, where it does not fit. */
  readonly scrolls?: boolean;
}

/** The first column of a table that scrolls sideways stays. */
const HELD = 'sticky left-0 z-1 border-line bg-bg max-sm:border-r [tr:focus-within>&]:bg-hover';

/**
 * A table of money. Each figure leads to what makes it up. One tab stop: J, K and the arrows move between the figures,
 * Enter opens one, C copies it.
 */
export function FigureTable(props: FigureTableProps): React.ReactNode {
  const { caption, head, columns, rows, foot, scrolls = false } = props;
  const table = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState<string | null>(null);
  const wide = useMedia(NOT_MOBILE);
  useFigureKeys(table);
  const all = foot === undefined ? rows : [...rows, foot];
  const keys = all.flatMap((row) => row.figures.flatMap(({ to }, at) => (to === undefined ? [] : [keyOf(row, at)])));
  // The rows of another page or period need not have the figure.
  const tabStop = stop !== null && keys.includes(stop) ? stop : keys[0];
  const figure = (row: FigureRow, at: number): React.ReactNode => (
    <FigureText
      column={columns[at]!}
      figure={row.figures[at]!}
      row={row.name}
      id={keyOf(row, at)}
      at={at}
      tabStop={keyOf(row, at) === tabStop}
      onFocus={() => setStop(keyOf(row, at))}
    />
  );
  const isBelow = ({ belowOnPhones = false }: FigureColumn): boolean => belowOnPhones && !scrolls;
  const name: ListColumn<FigureRow> = {
    label: head,
    cell: (row) => (
      <>
        <span>{row.head}</span>
        {!wide && columns.some((column, at) => isBelow(column) && row.figures[at]?.value !== undefined) && (
          <span className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-13 font-[400] text-ink-2">
            {columns.map(
              (column, at) =>
                isBelow(column) &&
                row.figures[at]?.value !== undefined && (
                  <span key={at} className="whitespace-nowrap">
                    <span>{column.label}</span> {figure(row, at)}
                  </span>
                ),
            )}
          </span>
        )}
      </>
    ),
    ...(scrolls && { className: HELD }),
  };
  const figures = columns.map((column, at): ListColumn<FigureRow> => ({
    label: column.label,
    group: column.group,
    numeric: true,
    wideOnly: isBelow(column),
    cell: (row) => (column.strong ? <b className="font-[600]">{figure(row, at)}</b> : figure(row, at)),
    ...(column.group !== columns[at - 1]?.group && at > 0 && { className: 'border-l border-line' }),
  }));
  return (
    <div ref={table}>
      <ListRows
        caption={caption}
        rows={rows}
        rowKey={({ key }) => key}
        columns={[name, ...figures]}
        foot={foot && (({ cell }) => cell(foot))}
        {...(scrolls && { scrolls: 'always', className: 'min-w-[1080px]' })}
      />
    </div>
  );
}

function keyOf(row: FigureRow, column: number): string {
  return `${row.key} ${column}`;
}

interface FigureTextProps {
  readonly column: FigureColumn;
  readonly figure: Figure;
  /** Name of the row. */
  readonly row: string;
  readonly id: string;
  /** Index of the column. */
  readonly at: number;
  readonly tabStop: boolean;
  readonly onFocus: () => void;
}

function FigureText({ column, figure, row, id, at, tabStop, onFocus }: FigureTextProps): React.ReactNode {
  const { value, to } = figure;
  if (value === undefined) return null;
  if (value === null) return <span className="text-ink-2">unknown</span>;
  const plain = column.credits ? count(value) : amount(value);
  const text = column.change && value > 0 ? `+${plain}` : plain;
  const look = value === 0 ? 'text-ink-3' : column.muted ? 'text-ink-2' : undefined;
  if (to === undefined) return <span className={look}>{text}</span>;
  return (
    <Link
      to={to}
      data-figure={id}
      data-column={at}
      data-copy={plain}
      aria-label={`${row}, ${column.group === undefined ? '' : `${column.group}, `}${column.label}: ${text}`}
      tabIndex={tabStop ? 0 : -1}
      onFocus={onFocus}
      // A block of its own: the muted figures are no links inside a text.
      className={cx('-my-1 inline-block rounded-sm py-1 hover:underline', look)}
    >
      {text}
    </Link>
  );
}

/** Moves the focus between the figures of a table. The rows need not have the same number of them. */
function useFigureKeys(table: React.RefObject<HTMLElement | null>): void {
  const lines = (): HTMLElement[][] =>
    [...(table.current?.querySelectorAll('tbody tr, tfoot tr') ?? [])]
      .map((row) => [...row.querySelectorAll<HTMLElement>('[data-figure]')])
      .filter((figures) => figures.length > 0);
  const current = (): HTMLElement | null => {
    const focused = document.activeElement;
    return focused instanceof HTMLElement && table.current?.contains(focused) === true ? focused : null;
  };
  const moveRow = (by: 1 | -1): void => {
    const all = lines();
    const focused = current();
    const row = all.findIndex((figures) => focused !== null && figures.includes(focused));
    const next = row === -1 ? all[0] : all[row + by];
    const column = Number(focused?.dataset['column'] ?? 0);
    // A figure without entries is passed over.
    (next?.find((figure) => Number(figure.dataset['column']) >= column) ?? next?.at(-1))?.focus();
  };
  const moveColumn = (by: 1 | -1): void => {
    const focused = current();
    const row = lines().find((figures) => focused !== null && figures.includes(focused));
    if (row !== undefined && focused !== null) row[row.indexOf(focused) + by]?.focus();
  };
  const copy = (): void => {
    const text = current()?.dataset['copy'];
    if (text !== undefined) void copyText('Figure', text);
  };
  useKeys([
    { keys: ['J', 'K'], label: 'Row', run: (key) => moveRow(key === 'J' ? 1 : -1) },
    { keys: ['↓', '↑'], label: 'Next, previous row', quiet: true, run: (key) => moveRow(key === '↓' ? 1 : -1) },
    { keys: ['←', '→'], label: 'Column', run: (key) => moveColumn(key === '→' ? 1 : -1) },
    { keys: ['↵'], label: 'Open', run: () => current()?.click() },
    { keys: ['C'], label: 'Copy', run: copy },
  ]);
}
