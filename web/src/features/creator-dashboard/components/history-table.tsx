import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { CreatorMonth } from '../../../../../src/contract/revenue.js';
import { HeadCells } from '../../../components/head-cells.js';
import { Pagination } from '../../../components/pagination.js';
import { EmptyState } from '../../../components/states.js';
import { count, dollars } from '../money.js';

/** Creator spec, section 9. */
const PAGE_SIZE = 6;

interface Row extends CreatorMonth {
  readonly statement: string;
}

interface HistoryTableProps {
  /** Complete months, the last one first. */
  readonly months: readonly Row[];
}

/** Complete months, six on a page. */
export function HistoryTable({ months }: HistoryTableProps): React.ReactNode {
  const [page, setPage] = useState(1);
  if (months.length === 0) {
    return (
      <EmptyState className="mt-4" title="No Previous Months">
        No revenue history available yet
      </EmptyState>
    );
  }
  return (
    <>
      <table className="mt-2 w-full border-collapse text-[0.9375rem] sm:text-16">
        <caption className="sr-only">Monthly Revenue History</caption>
        <thead>
          <tr className="h-11 border-b border-line text-right text-13 whitespace-nowrap text-ink-2 sm:text-14 [&>th]:px-1.5 [&>th]:font-[400] [&>th:first-child]:pl-0 [&>th:last-child]:pr-0">
            <HeadCells cells={[['Month', 'text-left'], ['Creator Earnings'], ['Paid Generations']]} />
          </tr>
        </thead>
        <tbody>
          {months.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((row) => (
            <tr
              key={row.month}
              className="h-14 border-b border-line text-right [&>td]:px-1.5 [&>td]:py-2 [&>td:first-child]:pl-0 [&>td:last-child]:pr-0"
            >
              <td className="text-left">
                <MonthCell {...row} />
              </td>
              <td className="tabular-nums">
                <EarningsCell {...row} />
              </td>
              <td className="text-ink-2 tabular-nums">{count(row.paid_generations)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="mt-4">
        <Pagination
          label="Pages of the months"
          page={page}
          pages={Math.ceil(months.length / PAGE_SIZE)}
          onPage={setPage}
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
