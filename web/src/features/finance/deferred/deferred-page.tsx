import type { DeferredRevenue } from '../../../../../src/contract/finance.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { CsvButton } from '../../../components/work-area/csv-button.js';
import { FigureTable, type FigureColumn, type FigureRow } from '../components/figure-table.js';
import { refusalOf } from '../components/refusal-of.js';
import { useAddress } from '../../../components/work-area/use-address.js';
import { entriesPath } from '../finance-paths.js';
import { BEGINNING, count, dollars, monthsPeriod, monthText } from '../finance-text.js';
import { MonthSelect } from './month-select.js';

const COLUMNS: readonly FigureColumn[] = [
  { label: 'Months ago', credits: true },
  { label: 'Credits', credits: true, belowOnPhones: true },
  { label: 'Deferred, USD', strong: true },
];

/** /finance/deferred: the value of unspent paid credits at the end of a month, by the month of their purchase. */
export default function DeferredPage(): React.ReactNode {
  const [month, show] = useAddress('month');
  const query = useRpc('get_deferred_revenue', month === null ? {} : { p_month: month });
  const refusal = refusalOf(query.error);
  const found = query.isPlaceholderData ? undefined : query.data;
  return (
    <WorkPage
      title="Deferred revenue"
      footer="Months are UTC. Free credits are worth nothing and are not in it"
      actions={
        <>
          <MonthSelect month={month} refusal={refusal} onChange={show} />
          <CsvButton address={found === undefined ? null : `/exports/deferred-revenue.csv?month=${found.month}`} />
        </>
      }
    >
      {refusal === null && (
        <Answer
          query={query}
          words={loadWords('deferred revenue')}
          skeleton={<Skeleton className="mt-6 h-80 rounded-sm" />}
        >
          {(data) => <Ages data={data} />}
        </Answer>
      )}
    </WorkPage>
  );
}

function Ages({ data: { month, at, cents, credits, ages } }: { readonly data: DeferredRevenue }): React.ReactNode {
  const rows = ages.map((age): FigureRow => {
    const to = entriesPath({
      accounts: [2000],
      boughtMonth: age.bought_month,
      ...monthsPeriod(age.bought_month, month),
    });
    return {
      key: age.bought_month,
      name: `Bought in ${monthText.long(age.bought_month)}`,
      head: monthText.long(age.bought_month),
      figures: [{ value: age.age_months }, { value: age.credits, to }, { value: age.cents, to }],
    };
  });
  const all = entriesPath({ accounts: [2000], from: BEGINNING, to: monthsPeriod(month).to });
  return (
    <>
      <p className="mt-2 text-14 tabular-nums text-ink-2">At {formatUtcInstant(at)}</p>
      <p className="display-sm mt-3 text-44 tabular-nums">{dollars(cents)}</p>
      <p className="mb-4 text-14 tabular-nums text-ink-2">{count(credits)} unspent paid credits</p>
      {ages.length === 0 ? (
        <EmptyState title="Nothing is deferred">At this time no person had unspent paid credits.</EmptyState>
      ) : (
        <div className="max-w-[720px]">
          <FigureTable
            caption="Unspent paid credits by the month of their purchase, the oldest first"
            head="Bought in"
            columns={COLUMNS}
            rows={rows}
            foot={{
              key: 'all',
              name: 'All months',
              head: 'All',
              figures: [{ value: undefined }, { value: credits, to: all }, { value: cents, to: all }],
            }}
          />
          <p className="mt-3 text-13 text-ink-2">Purchased credits never expire, so no breakage is taken.</p>
        </div>
      )}
    </>
  );
}
