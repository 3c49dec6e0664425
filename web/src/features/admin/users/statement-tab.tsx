import { useState } from 'react';
import type { StatementMonth } from '../../../../../src/contract/admin-users.js';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { Pagination } from '../../../components/pagination.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { Answer } from '../../../components/work-area/answer.js';
import { dateFormat } from '../../../lib/format.js';

const PAGE_SIZE = PAGE_SIZES.revenueMonths;
const COLUMNS = [
  ['opening', 'Opening'],
  ['granted', 'Granted'],
  ['bought', 'Bought'],
  ['spent', 'Spent'],
  ['refunded', 'Refunded'],
  ['lapsed', 'Lapsed'],
  ['taken', 'Taken back'],
  ['closing', 'Closing'],
] as const;
const MONTH = dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The account by UTC month: what was there, what came and went, and what was left. */
export function StatementTab({ userId }: { readonly userId: string }): React.ReactNode {
  const [page, setPage] = useState(1);
  const query = useRpc('get_user_statement_admin', {
    p_user_id: userId,
    p_limit: PAGE_SIZE,
    p_offset: (page - 1) * PAGE_SIZE,
  });
  const total = query.data?.[0]?.total_count ?? 0;
  return (
    <Answer
      query={query}
      failure="Failed to load the statement. Please try again."
      loadingText="Loading the statement..."
      skeleton={<Skeleton className="mt-4 h-60 rounded-sm" />}
    >
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState className="mt-4" title="The ledger has nothing about this user" />
        ) : (
          <>
            <Months rows={rows} />
            <p className="mt-3 text-13 text-ink-2">
              Opening and all changes make the closing. Lapsed credits leave the balance with the next event of the
              account.
            </p>
            {total > PAGE_SIZE && (
              <div className="mt-3.5">
                <Pagination page={page} pages={Math.ceil(total / PAGE_SIZE)} onPage={setPage} />
              </div>
            )}
          </>
        )
      }
    </Answer>
  );
}

function Months({ rows }: { readonly rows: readonly StatementMonth[] }): React.ReactNode {
  return (
    // Scrolls by itself on phones, also by keyboard.
    <div role="region" aria-label="Statement" tabIndex={0} className="overflow-x-auto">
      <table className="w-full border-collapse text-14 tabular-nums">
        <caption className="sr-only">Statement by month</caption>
        <thead>
          <tr className="border-b border-line text-13 text-ink-2">
            <th scope="col" className="py-2.5 pr-3 text-left font-[400]">
              Month, UTC
            </th>
            {COLUMNS.map(([key, label]) => (
              <th key={key} scope="col" className="px-2 py-2.5 text-right font-[400] whitespace-nowrap last:pr-0">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.month} className="border-b border-line">
              <th scope="row" className="py-2.5 pr-3 text-left font-[560] whitespace-nowrap">
                {MONTH.format(new Date(`${row.month}-01T00:00:00Z`))}
              </th>
              {COLUMNS.map(([key]) => (
                <td key={key} className="px-2 py-2.5 text-right whitespace-nowrap text-ink-2 last:pr-0 last:text-ink">
                  {credits(row[key])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `1,200`, `−30` */
function credits(amount: number): string {
  return `${amount < 0 ? '−' : ''}${Math.abs(amount).toLocaleString('en')}`;
}
