import {
  rowExpandingFeature,
  tableFeatures,
  useTable,
  type HeaderGroup,
  type Row as TableRow,
} from '@tanstack/react-table';
import { ArrowDown } from 'lucide-react';
import { Fragment, useId, useState } from 'react';
import { cx } from '../../lib/cx.js';
import { NOT_MOBILE, useMedia } from '../../lib/use-media.js';
import { Skeleton } from '../skeleton.js';
import { WHOLE_ROW } from '../whole-row.js';
import { STICKY_HEAD, STICKY_HEAD_FROM_LG } from './sticky-head.js';
import { rowId } from './use-queue.js';
import { useRowKeys, type RowKeys } from './use-row-keys.js';

/** A column of a list. The first one names the row. */
export interface ListColumn<Row> {
  readonly label: string;
  readonly cell: (row: Row) => React.ReactNode;
  /** Above the labels of neighbouring columns. */
  readonly group?: string | undefined;
  /** Aligned right. */
  readonly numeric?: boolean;
  /** Secondary text colour. */
  readonly muted?: boolean;
  /** For the width, on header and cells. */
  readonly className?: string;
  /** Left out on phones; `below` of the list has the most important of it. */
  readonly wideOnly?: boolean;
  /** The header is a button that sorts by this, the highest first; needs `sort` of the list. */
  readonly sort?: string;
}

/** The order of a list. */
interface ListSort {
  readonly by: string;
  /** The orders that there are now; null: none can be chosen. */
  readonly all: readonly string[];
  readonly onSort: (by: string) => void;
}

export interface ListRowsProps<Row> {
  /** Name of the list for screen readers. */
  readonly caption: string;
  readonly rowKey: (row: Row) => string;
  /** The rows are a table. */
  readonly columns?: readonly ListColumn<Row>[];
  /** A row as an item: where there are no columns, and on narrow screens. */
  readonly item?: (row: Row) => React.ReactNode;
  /** The screens that have room for the columns, where items are the alternative. */
  readonly wideFrom?: string;
  /** Below the first cell on phones. */
  readonly below?: (row: Row) => React.ReactNode;
  /** Where the table scrolls sideways if it does not fit. With 'narrow' its head stays in view on wide screens. */
  readonly scrolls?: 'always' | 'narrow' | undefined;
  /** The head stays in view while the page scrolls. */
  readonly sticky?: boolean;
  /** The row is as large as its link, the element with `data-row`. */
  readonly linked?: boolean;
  /** Unfolded below a row. Its first cell, or its item, is the button. */
  readonly detail?: (row: Row) => React.ReactNode;
  /** Key of the unfolded row, where the page keeps it; null: none. */
  readonly open?: string | null;
  readonly onOpen?: (key: string | null) => void;
  /** The cells of the sums. */
  readonly foot?: ((column: ListColumn<Row>) => React.ReactNode) | undefined;
  readonly sort?: ListSort;
  /** Rows that unfold then have one tab stop. */
  readonly keys?: RowKeys;
  /** Called with the key of a row that unfolds and gets the focus. */
  readonly onFocus?: (key: string) => void;
  readonly className?: string;
}

const features = tableFeatures({ rowExpandingFeature });
type Line<Row extends object> = TableRow<typeof features, Row>;

const CELL = 'h-11 px-3 py-1.5 font-[400] max-sm:px-2';
const HEAD = 'h-9 px-3 text-13 font-[400] whitespace-nowrap text-ink-2 max-sm:px-2';

function lookOf<Row>({ numeric, muted, className }: ListColumn<Row>): string {
  return cx(numeric ? 'text-right whitespace-nowrap' : 'text-left', muted && 'text-ink-2', className);
}

interface Drawn<Row extends object> extends ListRowsProps<Row> {
  readonly columns: readonly ListColumn<Row>[];
  readonly groups: readonly HeaderGroup<typeof features, Row>[];
  readonly lines: readonly Line<Row>[];
  readonly list: React.RefObject<(HTMLTableSectionElement & HTMLUListElement) | null>;
  readonly wide: boolean;
  /** The button that unfolds a row; the children alone where rows do not unfold. */
  readonly button: (line: Line<Row>, children: React.ReactNode, className: string) => React.ReactNode;
  readonly detailId: (line: Line<Row>) => string;
}

/** The rows of a list, as a table or as items. Rows may unfold, be as large as their link, and be reached by keys. */
export function ListRows<Row extends object>(
  props: ListRowsProps<Row> & { readonly rows: readonly Row[] },
): React.ReactNode {
  const { rows, rowKey, detail, open, onOpen, onFocus, keys } = props;
  const { wide, shown, isTable } = useShownColumns(props);
  const id = useId();
  const [focused, setFocused] = useState<string | null>(null);
  const table = useTable({
    features,
    data: rows,
    getRowId: rowKey,
    autoResetExpanded: false,
    columns: definitionsOf(shown),
    getRowCanExpand: () => detail !== undefined,
    ...(open !== undefined && { getIsRowExpanded: (line: Line<Row>) => line.id === open }),
  });
  const lines = table.getRowModel().rows;
  const list = useRowKeys<HTMLTableSectionElement & HTMLUListElement>(keys, () =>
    open === undefined ? table.resetExpanded(true) : onOpen?.(null),
  );
  const stop = lines.find((line) => line.id === focused) ?? lines.find((line) => line.getIsExpanded()) ?? lines[0];
  const detailId = (line: Line<Row>): string => `${id}-${line.id}`;
  const button = (line: Line<Row>, children: React.ReactNode, className: string): React.ReactNode => {
    if (detail === undefined) return children;
    const unfolded = line.getIsExpanded();
    return (
      <button
        type="button"
        data-row
        id={rowId(line.id)}
        aria-expanded={unfolded}
        aria-controls={unfolded ? detailId(line) : undefined}
        tabIndex={keys === undefined || line === stop ? 0 : -1}
        className={cx('text-left', className)}
        onFocus={() => {
          setFocused(line.id);
          onFocus?.(line.id);
        }}
        onClick={() => (open === undefined ? line.toggleExpanded() : onOpen?.(unfolded ? null : line.id))}
      >
        {children}
      </button>
    );
  };
  const groups = table.getHeaderGroups().slice(0, -1);
  const drawn = { ...props, columns: shown, groups, lines, list, wide, button, detailId };
  return isTable ? <TableRows {...drawn} /> : <ItemRows {...drawn} />;
}

type Layout<Row> = Pick<ListRowsProps<Row>, 'columns' | 'item' | 'wideFrom'>;

/** The columns that this screen shows, and whether the rows are a table on it. */
function useShownColumns<Row>({ columns = [], item, wideFrom = NOT_MOBILE }: Layout<Row>) {
  const wide = useMedia(wideFrom);
  const shown = columns.filter(({ wideOnly = false }) => wide || !wideOnly);
  return { wide, shown, isTable: shown.length > 0 && (wide || item === undefined) };
}

/** The columns for the table library: their order, their groups and their names. */
function definitionsOf<Row>(columns: readonly ListColumn<Row>[]) {
  const groups = [...new Set(columns.map(({ group }) => group))];
  return groups.flatMap((group) => {
    const members = columns
      .filter((column) => column.group === group)
      .map((column) => ({ id: idOf(column), header: column.label }));
    return group === undefined ? members : [{ id: group, header: group, columns: members }];
  });
}

function TableRows<Row extends object>(props: Drawn<Row>): React.ReactNode {
  const { caption, columns, lines, list, wide, below, scrolls, linked, detail, foot, className } = props;
  const [name, ...cells] = columns;
  const isPressed = linked === true || detail !== undefined;
  const table = (
    <table className={cx('w-full border-collapse text-14 tabular-nums', className)}>
      <caption className="sr-only">{caption}</caption>
      <Head {...props} />
      <tbody ref={list}>
        {lines.map((line) => {
          const row = line.original;
          const unfolded = line.getIsExpanded();
          return (
            <Fragment key={line.id}>
              <tr
                {...(isPressed && WHOLE_ROW)}
                className={cx(
                  'focus-within:bg-hover',
                  unfolded ? 'bg-hover' : 'border-line',
                  !unfolded && (foot === undefined ? 'border-b' : 'not-last:border-b'),
                  isPressed && 'cursor-pointer hover:bg-hover',
                )}
              >
                <th
                  scope="row"
                  className={cx(CELL, lookOf(name!), unfolded ? 'row-mark' : '[tr:focus-within>&]:row-mark')}
                >
                  <div>{props.button(line, name!.cell(row), 'min-h-6 rounded-sm')}</div>
                  {!wide && below && <div className="mt-0.5 text-13 text-ink-2">{below(row)}</div>}
                </th>
                {cells.map((column) => (
                  <td key={idOf(column)} className={cx(CELL, lookOf(column))}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
              {unfolded && (
                <tr className="border-b border-line bg-surface">
                  <td id={props.detailId(line)} colSpan={columns.length} className="p-4 max-sm:px-2">
                    {detail?.(row)}
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
      {foot !== undefined && (
        <tfoot>
          <tr className="border-t border-line-strong font-[600]">
            <th scope="row" className={cx(CELL, lookOf(name!), 'font-[600]')}>
              {foot(name!)}
            </th>
            {cells.map((column) => (
              <td key={idOf(column)} className={cx(CELL, lookOf(column), 'font-[600]')}>
                {foot(column)}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
  if (scrolls === undefined) return table;
  // A figure that is scrolled into view must not stop below the first column, which may stay in place.
  return (
    <div
      role="region"
      aria-label={caption}
      tabIndex={0}
      className={cx(
        'relative max-sm:-mr-4',
        scrolls === 'always' ? 'overflow-x-auto max-sm:scroll-pl-52' : 'max-lg:overflow-x-auto',
      )}
    >
      {table}
    </div>
  );
}

function idOf<Row>({ group = '', label }: ListColumn<Row>): string {
  return `${group} ${label}`;
}

function Head<Row extends object>(
  props: Pick<Drawn<Row>, 'columns' | 'groups' | 'scrolls' | 'sort' | 'sticky'>,
): React.ReactNode {
  const { columns, groups, scrolls, sort, sticky = false } = props;
  const look =
    !sticky || scrolls === 'always' ? 'border-b border-line' : scrolls === 'narrow' ? STICKY_HEAD_FROM_LG : STICKY_HEAD;
  return (
    <thead>
      {groups.map(({ id, headers }) => (
        <tr key={id}>
          {headers.map(({ id: key, colSpan, isPlaceholder, column }, index) =>
            isPlaceholder ? (
              <td key={key} className={columns[0]?.className} />
            ) : (
              <th
                key={key}
                scope="colgroup"
                colSpan={colSpan}
                className={cx('h-7 px-3 text-left text-13 font-[600]', index > 1 && 'border-l border-line')}
              >
                {column.id}
              </th>
            ),
          )}
        </tr>
      ))}
      <tr>
        {columns.map((column) => {
          const { label, sort: by } = column;
          const sorted = by !== undefined && by === sort?.by;
          return (
            <th
              key={idOf(column)}
              scope="col"
              aria-sort={sorted ? 'descending' : undefined}
              className={cx(HEAD, look, lookOf(column))}
            >
              {by !== undefined && sort?.all.includes(by) ? (
                <button
                  type="button"
                  className={cx('inline-flex min-h-6 items-center gap-1 hover:text-ink', sorted && SORTED)}
                  onClick={() => sort.onSort(by)}
                >
                  <span>{label}</span>
                  {sorted && <ArrowDown aria-hidden className="size-3.5" />}
                </button>
              ) : sorted ? (
                <span className={cx('inline-flex items-center gap-1.5', SORTED)}>
                  <span>{label}</span>
                  <ArrowDown aria-hidden className="size-3.5" />
                </span>
              ) : (
                label
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

const SORTED = 'font-[560] text-ink';

function ItemRows<Row extends object>(props: Drawn<Row>): React.ReactNode {
  const { caption, lines, list, item, linked, detail, className } = props;
  return (
    <ul ref={list} aria-label={caption} className={cx('text-14 tabular-nums', className)}>
      {lines.map((line) => {
        const content = item?.(line.original);
        if (detail === undefined) {
          return (
            <li
              key={line.id}
              className={cx(
                'flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2.5',
                linked && 'relative focus-within:bg-hover [&_a]:after:absolute [&_a]:after:inset-0',
              )}
            >
              {content}
            </li>
          );
        }
        const unfolded = line.getIsExpanded();
        return (
          <li key={line.id} className="border-b border-line">
            <div>
              {props.button(
                line,
                content,
                cx('block w-full px-3 py-2.5 hover:bg-hover max-sm:px-2', unfolded && 'row-mark bg-hover'),
              )}
            </div>
            {unfolded && (
              <div id={props.detailId(line)} className="px-3 py-4 max-sm:px-2">
                {detail(line.original)}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Blocks with the geometry of the rows, and the head of the table. */
export function ListBlocks<Row extends object>(props: Layout<Row> & { readonly count: number }): React.ReactNode {
  const { shown, isTable } = useShownColumns(props);
  const rows = Array.from({ length: props.count }, (_, index) => index);
  if (!isTable) {
    return rows.map((row) => (
      <div key={row} className="flex h-[61px] items-center justify-between border-b border-line">
        <Skeleton className="h-3.5 w-40 rounded-pill" />
        <Skeleton className="h-3.5 w-12 rounded-pill" />
      </div>
    ));
  }
  return (
    <table aria-hidden className="w-full border-collapse text-14">
      <Head columns={shown} groups={[]} />
      <tbody>
        {rows.map((row) => (
          <tr key={row} className="border-b border-line">
            {shown.map((column) => (
              <td key={idOf(column)} className={cx(CELL, column.className)}>
                <Skeleton className={cx('h-3.5 rounded-pill', column.numeric ? 'ml-auto w-10' : 'w-24')} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
