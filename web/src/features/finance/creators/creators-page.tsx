import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { CreatorLiabilities } from '../../../../../src/contract/finance.js';
import type { CreatorMoney } from '../../../../../src/contract/revenue.js';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { Answer } from '../../../components/work-area/answer.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { AsOfField } from '../components/as-of-field.js';
import { CsvButton } from '../components/csv-button.js';
import { FigureTable, type FigureColumn, type FigureRow } from '../components/figure-table.js';
import { refusalOf } from '../components/refusal-of.js';
import { useAddress } from '../components/use-address.js';
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
  const [after, setAfter] = useState<string | null>(null);
  // The pages before this one, for the way back.
  const [passed, setPassed] = useState<readonly (string | null)[]>([]);
  const query = useRpc('list_creator_liabilities', {
    ...(at === null ? {} : { p_at: at }),
    ...(after === null ? {} : { p_after: after }),
  });
  const refusal = refusalOf(query.error);
  const found = query.isPlaceholderData ? undefined : query.data;
  const file = found && `/exports/creator-liabilities.csv?${new URLSearchParams({ at: found.at }).toString()}`;
  const showAt = (next: string | null): void => {
    setAfter(null);
    setPassed([]);
    show(next);
  };
  return (
    <WorkPage
      title="Creators"
      footer="A share is payable 30 days after its image was delivered. The file has all creators"
      actions={<CsvButton address={file ?? null} />}
    >
      <div className="mt-4">
        <AsOfField key={at ?? ''} at={at} refusal={refusal} onChange={showAt} />
      </div>
      {refusal === null && (
        <Answer
          query={query}
          failure="Failed to load what creators are owed. Please try again."
          loadingText="Loading creators..."
          skeleton={<Skeleton className="mt-6 h-80 rounded-sm" />}
        >
          {(data) => (
            <div className={query.isPlaceholderData ? 'opacity-60' : undefined} aria-busy={query.isPlaceholderData}>
              <Liabilities data={data} single={after === null && data.next === null} />
              {(after !== null || data.next !== null) && (
                <nav aria-label="Pages" className="mt-4 flex gap-2">
                  <Button
                    size={32}
                    disabled={after === null}
                    onClick={() => {
                      setAfter(passed.at(-1) ?? null);
                      setPassed(passed.slice(0, -1));
                    }}
                  >
                    Previous
                  </Button>
                  <Button
                    size={32}
                    disabled={data.next === null}
                    onClick={() => {
                      setPassed([...passed, after]);
                      setAfter(data.next);
                    }}
                  >
                    Next
                  </Button>
                </nav>
              )}
            </div>
          )}
        </Answer>
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
  const period = periodUpTo(data.at, BEGINNING);
  return (
    <>
      <p className="mt-4 mb-2 text-14 tabular-nums text-ink-2">At {formatUtcInstant(data.at)}, US dollars</p>
      {data.creators.length === 0 ? (
        <EmptyState title="No creator is owed anything">No image of a creator had been paid at this time.</EmptyState>
      ) : (
        <FigureTable
          caption="What creators are owed"
          head="Creator"
          columns={COLUMNS}
          rows={data.creators.map((creator) => rowOf(creator, { ...period, paidAccount: data.paid_account }))}
          foot={{
            key: 'all',
            name: 'All creators',
            head: single ? 'Sum' : 'All creators',
            figures: figuresOf(data, { ...period, paidAccount: data.paid_account }),
          }}
        />
      )}
      <p className="mt-3 text-13 text-ink-2">
        Earned is pending, payable, on its way and paid, less the debt. Owed is what was earned and not paid. Each
        figure leads to its entries up to the instant. Those of pending and payable are the creator’s share; each of
        them says when it becomes payable.
      </p>
    </>
  );
}

function rowOf(creator: CreatorLiabilities['creators'][number], scope: Scope): FigureRow {
  const { creator_id: id, name, username } = creator;
  return {
    ...{ key: id, name: name ?? id },
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
