import {
  createColumnHelper,
  createPaginatedRowModel,
  rowPaginationFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { Link } from 'react-router-dom';
import type { CreatorMonth } from '../../../../../src/contract/revenue.js';
import { Pagination } from '../../../components/pagination.js';
import { EmptyState } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { count, dollars } from '../money.js';

/** Creator spec, section 9. */
const PAGE_SIZE = 6;

interface Row extends CreatorMonth {
  readonly statement: string;
}

const features = tableFeatures({ rowPaginationFeature, paginatedRowModel: createPaginatedRowModel() });
const helper = createColumnHelper<typeof features, Row>();
const columns = helper.columns([
  helper.accessor('month_name', { header: 'Month', cell: ({ row }) => <MonthCell {...row.original} /> }),
  helper.accessor('creator_earnings', {
    header: 'Creator Earnings',
    cell: ({ row }) => <EarningsCell {...row.original} />,
  }),
  helper.accessor('paid_generations', { header: 'Paid Generations', cell: ({ getValue }) => count(getValue()) }),
]);
const initialState = { pagination: { pageIndex: 0, pageSize: PAGE_SIZE } };

interface HistoryTableProps {
  /** Complete months, the last one first. */
  readonly months: readonly Row[];
}

/** Complete months, six on a page. */
export function HistoryTable({ months }: HistoryTableProps): React.ReactNode {
  const table = useTable({ features, columns, data: months, initialState, getRowId: ({ month }) => month });
  if (months.length === 0) {
    return (
      <EmptyState className="mt-4" title="No Previous Months">
        No revenue history available yet
      </EmptyState>
    );
  }
  const pages = table.getPageCount();
  const rows = table.getRowModel().rows;
  return (
    <>
      <table className="mt-2 w-full border-collapse text-[0.9375rem] sm:text-16">
        <caption className="sr-only">Monthly Revenue History</caption>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className="h-11 border-b border-line text-13 text-ink-2 sm:text-14">
              {group.headers.map((header, index) => (
                <th
                  key={header.id}
                  scope="col"
                  className={cx(
                    'whitespace-nowrap px-1.5 font-[400] first:pl-0 last:pr-0',
                    index === 0 ? 'text-left' : 'text-right',
                  )}
                >
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="h-14 border-b border-line">
              {row.getAllCells().map((cell, index) => (
                <td
                  key={cell.id}
                  className={cx(
                    'px-1.5 py-2 first:pl-0 last:pr-0 last:text-ink-2',
                    index > 0 && 'text-right tabular-nums',
                  )}
                >
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="mt-4">
        <Pagination
          label="Pages of the months"
          page={table.state.pagination.pageIndex + 1}
          pages={pages}
          onPage={(page) => table.setPageIndex(page - 1)}
        />
      </div>
    </>
  );
}

function MonthCell({ month_name: name, statement }: Row): React.ReactNode {
  return (
    <span className="flex flex-col gap-x-4 sm:flex-row sm:items-baseline">
      <span className="whitespace-nowrap">{name}</span>
      <Link to={statement} className="link tap w-fit text-13 text-ink-2">
        Statement<span className="sr-only"> of {name}</span>
      </Link>
    </span>
  );
}

function EarningsCell({ creator_earnings: earnings, corrections, restorations }: Row): React.ReactNode {
  const parts = [
    corrections < 0 && `${dollars(corrections)} taken back`,
    restorations > 0 && `${dollars(restorations)} given back`,
  ].filter((part) => part !== false);
  return (
    <span>
      <span>{dollars(earnings)}</span>
      {parts.length > 0 && <span className="block text-13 text-ink-2">{parts.join(', ')}</span>}
    </span>
  );
}
