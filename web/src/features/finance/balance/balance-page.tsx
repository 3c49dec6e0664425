import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { BookBalance, TrialBalance } from '../../../../../src/contract/finance.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { AsOfField } from '../components/as-of-field.js';
import { CsvButton } from '../../../components/work-area/csv-button.js';
import { FigureTable, type FigureColumn, type FigureRow } from '../components/figure-table.js';
import { refusalOf } from '../components/refusal-of.js';
import { useAddress } from '../../../components/work-area/use-address.js';
import { creatorsPath, entriesPath } from '../finance-paths.js';
import { partsText, periodUpTo } from '../finance-text.js';

const COLUMNS: readonly FigureColumn[] = [
  { label: 'Debit' },
  { label: 'Credit' },
  { label: 'Credits held', credits: true, belowOnPhones: true },
];

/** Accounts of rule 1 that follow from the time; they have no entries of their own. */
const BY_TIME: ReadonlySet<number> = new Set([1200, 2110, 2120]);

/** Accounts with what the ledger does not have: the differences explain them. */
const NOT_IN_THE_LEDGER: ReadonlySet<number> = new Set([1015, 2300]);

/** /finance/balance: the balance of every account at an instant. */
export default function BalancePage(): React.ReactNode {
  const [at, show] = useAddress('at');
  const query = useRpc('get_trial_balance', at === null ? {} : { p_at: at });
  const refusal = refusalOf(query.error);
  const found = query.isPlaceholderData ? undefined : query.data;
  const file = found && `/exports/trial-balance.csv?${new URLSearchParams({ at: found.at }).toString()}`;
  return (
    <WorkPage
      title="Trial balance"
      footer={
        found?.accounts.some(({ debit_cents: debit }) => debit === null)
          ? 'Unknown and payouts only: the processor must say the rest, and nothing was read from it yet'
          : undefined
      }
      actions={<CsvButton address={file ?? null} />}
    >
      <div className="mt-4">
        <AsOfField key={at ?? ''} at={at} refusal={refusal} onChange={show} />
      </div>
      {refusal === null && (
        <Answer
          query={query}
          words={loadWords('the trial balance')}
          skeleton={<Skeleton className="mt-6 h-[720px] rounded-sm" />}
        >
          {(data) => <Balances data={data} />}
        </Answer>
      )}
    </WorkPage>
  );
}

function Balances({ data }: { readonly data: TrialBalance }): React.ReactNode {
  const { at, begins_at: beginsAt, accounts, debit_cents: debit, credit_cents: credit } = data;
  const equal = debit === credit;
  return (
    <>
      <div className="mt-4 mb-2 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-14">
        <p className="tabular-nums text-ink-2">
          At {formatUtcInstant(at)}, US dollars
          {beginsAt !== null && `. The books begin at ${formatUtcInstant(beginsAt)}`}
        </p>
        <p className={`flex items-center gap-1.5 ${equal ? 'text-good' : 'text-bad'}`}>
          {equal ? <CircleCheck aria-hidden className="size-4" /> : <TriangleAlert aria-hidden className="size-4" />}
          <span>{equal ? 'Debits equal credits' : 'Debits do not equal credits'}</span>
        </p>
      </div>
      {beginsAt === null && (
        <EmptyState className="mb-4" title="The books are empty">
          They begin with the first credits that a person gets or buys.
        </EmptyState>
      )}
      <FigureTable
        caption="Trial balance"
        head="Account"
        columns={COLUMNS}
        rows={accounts.map((account) => rowOf(account, data))}
        foot={{
          key: 'all',
          name: 'Sum',
          head: 'Sum',
          figures: [{ value: debit }, { value: credit }, { value: undefined }],
        }}
      />
    </>
  );
}

function rowOf(balance: BookBalance, { at, begins_at: beginsAt, creator_share: parts }: TrialBalance): FigureRow {
  const { account, name, kind, debit_cents: debit, credit_cents: credit, credits } = balance;
  const entries = beginsAt && entriesPath({ accounts: [account], ...periodUpTo(at, beginsAt) });
  const to = beginsAt === null ? undefined : BY_TIME.has(account) ? creatorsPath(at) : (entries ?? undefined);
  return {
    key: String(account),
    name: `${account} ${name}`,
    head: (
      <>
        <span className="mr-2 tabular-nums text-ink-2">{account}</span>
        {name}
        {NOT_IN_THE_LEDGER.has(account) && (
          <Link to="/finance/reconciliation" className="link ml-2 text-13">
            Reconciliation
          </Link>
        )}
        <span className="block text-13 text-ink-2">{kind}</span>
        {account === 2100 && parts !== null && (
          <Link to={creatorsPath(at)} className="link text-13 tabular-nums">
            {partsText(parts)}
          </Link>
        )}
      </>
    ),
    figures: [
      { value: debit, to },
      { value: credit, to },
      { value: credits ?? undefined, to },
    ],
  };
}
