import { Link } from 'react-router-dom';
import type { CreatorLiabilities } from '../../../../../src/contract/finance.js';
import type { CreatorMoney } from '../../../../../src/contract/revenue.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { useLinkedPages } from '../../../components/work-area/list-pages.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { AsOfField } from '../components/as-of-field.js';
import { CsvButton } from '../../../components/work-area/csv-button.js';
import { FigureTable, type FigureColumn, type FigureRow } from '../components/figure-table.js';
import { refusalOf } from '../components/refusal-of.js';
import { useAddress } from '../../../components/work-area/use-address.js';
import { entriesPath } from '../finance-paths.js';
import { creatorPayoutsPath } from '../payouts/payout-paths.js';
import { BEGINNING, periodUpTo, type Period } from '../finance-text.js';

/** Accounts of the books: creator share, and payouts on their way. */
const [SHARE, UNDER_WAY] = [2100, 2130] as const;

const COLUMNS: readonly FigureColumn[] = [
  { label: 'Earned', belowOnPhones: true },
  { label: 'Pending', belowOnPhones: true },
  { label: 'Payable', belowOnPhones: true },
  { label: 'On its way', belowOnPhones: true },
  { label: 'Paid', belowOnPhones: true },
  { label: 'Debt', belowOnPhones: true },
  { label: 'Owed', strong: true },
];

/** /finance/creators: what each creator is owed at an instant. */
export default function CreatorsPage(): React.ReactNode {
  const [at, show] = useAddress('at');
  const list = useLinkedPages('list_creator_liabilities', at === null ? {} : { p_at: at }, {
    field: 'p_after',
    rows: ({ creators }) => creators,
  });
  const { query, pages } = list;
  const refusal = refusalOf(query.error);
  const found = query.isPlaceholderData ? undefined : query.data;
  const file = found && `/exports/creator-liabilities.csv?${new URLSearchParams({ at: found.at }).toString()}`;
  return (
    <WorkPage
      title="Creators"
      footer="A share is payable 30 days after its image was delivered. The file has all creators"
      actions={<CsvButton address={file ?? null} />}
    >
      <div className="mt-4">
        <AsOfField key={at ?? ''} at={at} refusal={refusal} onChange={show} />
      </div>
      {refusal === null && (
        <RpcList
          list={list}
          words={loadWords('what creators are owed', 'creators')}
          empty={
            <EmptyState title="No creator is owed anything">
              No image of a creator had been paid at this time.
            </EmptyState>
          }
          above={
            query.data && (
              <p className="mt-4 mb-2 text-14 tabular-nums text-ink-2">
                At {formatUtcInstant(query.data.at)}, US dollars
              </p>
            )
          }
          under={
            <p className="mt-3 text-13 text-ink-2">
              Earned is pending, payable, on its way and paid, less the debt. Owed is what was earned and not paid. Each
              figure leads to its entries up to the instant. Those of pending and payable are the creator’s share; each
              of them says when it becomes payable.
            </p>
          }
          skeleton={<Skeleton className="mt-6 h-80 rounded-sm" />}
        >
          {() =>
            query.data && <Liabilities data={query.data} single={pages.previous === null && pages.next === null} />
          }
        </RpcList>
      )}
    </WorkPage>
  );
}

interface LiabilitiesProps {
  readonly data: CreatorLiabilities;
  /** All creators are on this page. */
  readonly single: boolean;
}

function Liabilities({ data, single }: LiabilitiesProps): React.ReactNode {
  const scope = { ...periodUpTo(data.at, BEGINNING), paidAccount: data.paid_account };
  return (
    <FigureTable
      caption="What creators are owed"
      head="Creator"
      columns={COLUMNS}
      rows={data.creators.map((creator) => rowOf(creator, scope))}
      foot={{
        key: 'all',
        name: 'All creators',
        head: single ? 'Sum' : 'All creators',
        figures: figuresOf(data, scope),
      }}
    />
  );
}

function rowOf(creator: CreatorLiabilities['creators'][number], scope: Scope): FigureRow {
  const { creator_id: id, name, username } = creator;
  return {
    key: id,
    name: name ?? id,
    head: (
      <>
        <span translate={name === null ? undefined : 'no'} className="font-[560]">
          {name ?? 'No creator any more'}
        </span>
        <span className="block text-13 text-ink-2 [overflow-wrap:anywhere]">
          <span translate="no">{username === null ? id : `@${username}`}</span>{' '}
          <Link to={creatorPayoutsPath(id)} aria-label={`Payouts of ${name ?? id}`} className="link">
            Payouts
          </Link>
        </span>
      </>
    ),
    figures: figuresOf(creator, { ...scope, creatorId: id }),
  };
}

interface Scope extends Period {
  /** The account that has what was paid. */
  readonly paidAccount: number;
  readonly creatorId?: string;
}

/** The figures of a creator, or of all: earned = pending + payable + on its way + paid - debt. */
function figuresOf(money: CreatorMoney, { paidAccount, ...scope }: Scope): FigureRow['figures'] {
  const to = entriesPath({ accounts: [SHARE], ...scope });
  return [
    { value: money.earned_cents, to },
    { value: money.pending_cents, to },
    { value: money.payable_cents, to },
    { value: money.under_way_cents, to: entriesPath({ accounts: [UNDER_WAY], ...scope }) },
    // The bank has other entries too, but not by creator.
    {
      value: money.paid_cents,
      to: scope.creatorId === undefined ? '/finance/payouts' : entriesPath({ accounts: [paidAccount], ...scope }),
    },
    { value: money.debt_cents },
    { value: money.earned_cents - money.paid_cents, to },
  ];
}
