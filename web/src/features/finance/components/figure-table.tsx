import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { copyText } from '../../../components/copy.js';
import { useKeys } from '../../../components/work-area/keys.js';
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

const CELL = 'h-[38px] px-3 text-right tabular-nums whitespace-nowrap';

/**
 * A table of money. Each figure leads to what makes it up. One tab stop: J, K and the arrows move between the figures,
 * Enter opens one, C copies it.
 */
export function FigureTable(props: FigureTableProps): React.ReactNode {
  const { caption, head, columns, rows, foot, scrolls = false } = props;
  const table = useRef<HTMLTableElement>(null);
  const [stop, setStop] = useState<string | null>(null);
  const wide = useMedia(NOT_MOBILE);
  useFigureKeys(table);
  const shown = columns.map((column) => wide || scrolls || column.belowOnPhones !== true);
  const groups = groupsOf(columns);
  const all = foot === undefined ? rows : [...rows, foot];
  const first = all.flatMap((row) => row.figures.map((figure, at) => figure.to && keyOf(row, at))).find(Boolean);
  const line = (row: FigureRow, isFoot: boolean): React.ReactNode => {
    const open = stop?.startsWith(`${row.key} `) === true;
    const figure = (at: number): React.ReactNode => (
      <FigureText
        column={columns[at]!}
        figure={row.figures[at]!}
        row={row.name}
        id={keyOf(row, at)}
        at={at}
        tabStop={keyOf(row, at) === (stop ?? first)}
        onFocus={() => setStop(keyOf(row, at))}
      />
    );
    const below = columns.flatMap((_, at) => (shown[at] || row.figures[at]?.value === undefined ? [] : [at]));
    return (
      <tr
        key={row.key}
        className={cx(
          isFoot ? 'border-t border-line-strong font-[600]' : 'border-line not-last:border-b',
          open && 'bg-hover',
        )}
      >
        <th
          scope="row"
          className={cx(
            'px-3 py-2 text-left max-sm:pl-2',
            isFoot ? 'font-[600]' : 'font-[400]',
            scrolls && 'sticky left-0 z-1 border-line max-sm:border-r',
            scrolls && (open ? 'bg-hover' : 'bg-bg'),
            open && 'row-mark',
          )}
        >
          <span>{row.head}</span>
          {below.length > 0 && (
            <span className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-13 font-[400] text-ink-2">
              {below.map((at) => (
                <span key={at} className="whitespace-nowrap">
                  <span>{columns[at]!.label}</span> {figure(at)}
                </span>
              ))}
            </span>
          )}
        </th>
        {columns.map(
          (column, at) =>
            shown[at] && (
              <td
                key={at}
                className={cx(
                  CELL,
                  column.strong && 'font-[600]',
                  groups.starts.has(at) && at > 0 && 'border-l border-line',
                )}
              >
                {figure(at)}
              </td>
            ),
        )}
      </tr>
    );
  };
  return (
    <div
      className={cx('relative', scrolls && 'overflow-x-auto max-sm:-mr-4')}
      {...(scrolls && { role: 'region', 'aria-label': caption, tabIndex: 0 })}
    >
      <table ref={table} className={cx('w-full border-collapse text-14', scrolls && 'min-w-[1080px]')}>
        <caption className="sr-only">{caption}</caption>
        <thead className="text-13">
          {groups.list.length > 0 && (
            <tr>
              <td className={cx(scrolls && 'sticky left-0 z-1 bg-bg max-sm:border-r max-sm:border-line')} />
              {groups.list.map(({ label, span }, at) => (
                <th
                  key={label}
                  scope="colgroup"
                  colSpan={span}
                  className={cx('h-7 px-3 text-left font-[600]', at > 0 && 'border-l border-line')}
                >
                  {label}
                </th>
              ))}
            </tr>
          )}
          <tr className="border-b border-line text-ink-2">
            <th
              scope="col"
              className={cx(
                'h-9 px-3 text-left font-[400] max-sm:pl-2',
                scrolls && 'sticky left-0 z-1 bg-bg max-sm:border-r max-sm:border-line',
              )}
            >
              {head}
            </th>
            {columns.map(
              ({ label }, at) =>
                shown[at] && (
                  <th
                    key={at}
                    scope="col"
                    className={cx(CELL, 'font-[400]', groups.starts.has(at) && at > 0 && 'border-l border-line')}
                  >
                    {label}
                  </th>
                ),
            )}
          </tr>
        </thead>
        <tbody>{rows.map((row) => line(row, false))}</tbody>
        {foot !== undefined && <tfoot>{line(foot, true)}</tfoot>}
      </table>
    </div>
  );
}

function keyOf(row: FigureRow, column: number): string {
  return `${row.key} ${column}`;
}

/** Neighbouring columns of one group, and the indexes of the first ones. */
function groupsOf(columns: readonly FigureColumn[]): {
  readonly list: readonly { readonly label: string; readonly span: number }[];
  readonly starts: ReadonlySet<number>;
} {
  const starts = columns.flatMap(({ group }, at) =>
    group !== undefined && group !== columns[at - 1]?.group ? [at] : [],
  );
  const list = starts.map((start, index) => ({
    label: columns[start]?.group ?? '',
    span: (starts[index + 1] ?? columns.length) - start,
  }));
  return { list, starts: new Set(starts) };
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
function useFigureKeys(table: React.RefObject<HTMLTableElement | null>): void {
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
