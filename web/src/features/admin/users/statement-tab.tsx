import type { StatementMonth } from '../../../../../src/contract/admin-users.js';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { EmptyState } from '../../../components/states.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';
import type { ListColumn } from '../../../components/work-area/list-rows.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { monthText } from '../../../lib/months.js';

const CHANGES = [
  ['opening', 'Opening'],
  ['granted', 'Granted'],
  ['bought', 'Bought'],
  ['spent', 'Spent'],
  ['refunded', 'Refunded'],
  ['lapsed', 'Lapsed'],
  ['taken', 'Taken back'],
  ['closing', 'Closing'],
] as const;
const COLUMNS: readonly ListColumn<StatementMonth>[] = [
  {
    label: 'Month, UTC',
    cell: ({ month }) => <b className="font-[560]">{monthText.shortYear(month)}</b>,
    className: 'whitespace-nowrap',
  },
  ...CHANGES.map(([field, label]) => ({
    label,
    cell: (row: StatementMonth) => credits(row[field]),
    numeric: true,
    muted: field !== 'closing',
  })),
];

/** The account by UTC month: what was there, what came and went, and what was left. */
export function StatementTab({ userId }: { readonly userId: string }): React.ReactNode {
  const list = useNumberedPages('get_user_statement_admin', { p_user_id: userId }, PAGE_SIZES.revenueMonths);
  return (
    <RpcList
      list={list}
      words={loadWords('the statement')}
      empty={<EmptyState title="The ledger has nothing about this user" />}
      under={
        list.rows.length > 0 && (
          <p className="mt-3 text-13 text-ink-2">
            Opening and all changes make the closing. Lapsed credits leave the balance with the next event of the
            account.
          </p>
        )
      }
      caption="Statement by month"
      columns={COLUMNS}
      rowKey={({ month }) => month}
      scrolls="always"
    />
  );
}

/** `1,200`, `−30` */
function credits(amount: number): string {
  return `${amount < 0 ? '−' : ''}${Math.abs(amount).toLocaleString('en')}`;
}
