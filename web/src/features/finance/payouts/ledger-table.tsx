import { cx } from '../../../lib/cx.js';
import { NOT_MOBILE, useMedia } from '../../../lib/use-media.js';

/** A column of a table. */
export interface LedgerColumn<Row> {
  readonly label: string;
  readonly cell: (row: Row) => React.ReactNode;
  /** Aligned right, in figures of equal width. */
  readonly numeric?: boolean;
  /** Left out on phones; `below` of the table has the most important of it. */
  readonly wideOnly?: boolean;
}

interface LedgerTableProps<Row> {
  readonly caption: string;
  /** Above the first cells. */
  readonly head: string;
  readonly columns: readonly LedgerColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The content of the first cell, which names the row. */
  readonly name: (row: Row) => React.ReactNode;
  /** Below the name on phones. */
  readonly below?: (row: Row) => React.ReactNode;
  /** Unfolded below the row; null: nothing. */
  readonly detail?: (row: Row) => React.ReactNode;
  /** The cells of the sums: one more than there are columns. Undefined: none. */
  readonly foot?: readonly React.ReactNode[] | undefined;
}

const CELL = 'h-11 px-3 py-1.5';

/** A table of the finance area; on phones the first cell has the rest of the row below its name. */
export function LedgerTable<Row>(props: LedgerTableProps<Row>): React.ReactNode {
  const { caption, head, columns, rows, keyOf, name, below, detail, foot } = props;
  const wide = useMedia(NOT_MOBILE);
  const shown = columns.flatMap((column, at) => (wide || column.wideOnly !== true ? [{ column, at }] : []));
  return (
    <table className="mt-2 w-full border-collapse text-14">
      <caption className="sr-only">{caption}</caption>
      <thead className="text-13 text-ink-2">
        <tr className="border-b border-line">
          <th scope="col" className="h-9 px-3 text-left font-[400] max-sm:pl-2">
            {head}
          </th>
          {shown.map(({ column: { label, numeric } }) => (
            <th key={label} scope="col" className={cx('h-9 px-3 font-[400]', numeric ? 'text-right' : 'text-left')}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      {rows.map((row) => {
        const open = detail?.(row) ?? null;
        return (
          <tbody key={keyOf(row)} className={cx(open !== null && 'bg-surface')}>
            <tr className={open === null ? 'border-b border-line' : 'bg-hover'}>
              <th scope="row" className={cx(CELL, 'text-left font-[400] max-sm:pl-2', open !== null && 'row-mark')}>
                <span>{name(row)}</span>
                {!wide && below !== undefined && <div className="mt-0.5 text-13 text-ink-2">{below(row)}</div>}
              </th>
              {shown.map(({ column: { label, numeric, cell } }) => (
                <td key={label} className={cx(CELL, numeric && 'text-right whitespace-nowrap tabular-nums')}>
                  {cell(row)}
                </td>
              ))}
            </tr>
            {open !== null && (
              <tr className="border-b border-line">
                <td colSpan={shown.length + 1} className="p-4 max-sm:px-2">
                  {open}
                </td>
              </tr>
            )}
          </tbody>
        );
      })}
      {foot !== undefined && (
        <tfoot>
          <tr className="border-t border-line-strong font-[600]">
            <th scope="row" className={cx(CELL, 'text-left font-[600] max-sm:pl-2')}>
              {foot[0]}
            </th>
            {shown.map(({ column: { label, numeric }, at }) => (
              <td key={label} className={cx(CELL, numeric && 'text-right whitespace-nowrap tabular-nums')}>
                {foot[at + 1]}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
}
