import type { PayoutRunCreator, PayoutRunSums } from '../../../../../src/contract/payouts.js';
import { Avatar } from '../../../components/avatar.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { Answer } from '../../../components/work-area/answer.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { cx } from '../../../lib/cx.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { useAddress } from '../components/use-address.js';
import { amount, count } from '../finance-text.js';
import { CreatorDetail } from './creator-detail.js';
import { LedgerTable, type LedgerColumn } from './ledger-table.js';
import { PagesNav } from './pages-nav.js';
import { amountOf, creatorState, isSettling } from './payout-text.js';
import { StateMark } from './state-mark.js';
import { usePages } from './use-pages.js';

const COLUMNS: readonly LedgerColumn<PayoutRunCreator>[] = [
  { label: 'Payable', cell: (row) => <Cents cents={row.payable_cents} />, numeric: true, wideOnly: true },
  { label: 'Paid before', cell: (row) => <Cents cents={0 - row.paid_before_cents} />, numeric: true, wideOnly: true },
  {
    label: 'This run',
    cell: (row) => (
      <span className="font-[600]">
        <Cents cents={row.state === 'cancelled' || row.state === 'failed' ? 0 : (row.amount_cents ?? 0)} />
      </span>
    ),
    numeric: true,
  },
  { label: 'State', cell: (row) => <StateMark {...creatorState(row)} />, wideOnly: true },
];

const SHOWN = [
  { value: null, label: 'All', request: {} },
  { value: 'paid', label: 'With a payout', request: { p_skipped: false } },
  { value: 'left-out', label: 'Left out', request: { p_skipped: true } },
] as const;

/** The creators of a run: with their amount, or with the reason why there is none. Each unfolds to its sum. */
export function RunCreators({ run }: { readonly run: PayoutRunSums }): React.ReactNode {
  const [show, setShow] = useAddress('show');
  const [open, setOpen] = useAddress('open');
  const { place, previous, to, reset } = usePages<string>();
  const shown = SHOWN.find(({ value }) => value === show) ?? SHOWN[0];
  const query = useRpc(
    'list_payout_run_creators',
    { p_run_id: run.run_id, ...shown.request, ...(place === null ? {} : { p_after: place }) },
    { ...liveTimings, refetchInterval: isSettling(run) ? 3_000 : liveTimings.refetchInterval },
  );
  return (
    <section aria-label="Creators of the run" className="min-w-0">
      <div role="group" aria-label="Show" className="flex flex-wrap gap-2">
        {SHOWN.map(({ value, label }) => (
          <button
            key={label}
            type="button"
            aria-pressed={shown.value === value}
            className={cx(
              'inline-flex h-9 items-center rounded-pill border px-3.5 text-14 hover:border-line-strong',
              shown.value === value ? 'border-line-strong bg-hover font-[560]' : 'border-line text-ink-2',
            )}
            onClick={() => {
              reset();
              setShow(value);
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <Answer
        query={query}
        failure="Failed to load the creators. Please try again."
        loadingText="Loading creators..."
        skeleton={<Skeleton className="mt-3 h-80 rounded-sm" />}
      >
        {({ creators, next }) => (
          <div className={query.isPlaceholderData ? 'opacity-60' : undefined} aria-busy={query.isPlaceholderData}>
            {creators.length === 0 ? (
              <EmptyState className="mt-4" title={run.working ? 'Being drafted' : 'No creators'}>
                {run.working
                  ? 'The creators appear here as they are drafted.'
                  : show === null
                    ? 'No creator had earned anything before the cutoff.'
                    : 'No creator of this run is in this view.'}
              </EmptyState>
            ) : (
              <LedgerTable
                caption="Creators of the run, US dollars"
                head="Creator"
                columns={COLUMNS}
                rows={creators}
                keyOf={({ creator_id: id }) => id}
                name={(row) => (
                  <Name
                    row={row}
                    open={open === row.creator_id}
                    onToggle={() => setOpen(open === row.creator_id ? null : row.creator_id)}
                  />
                )}
                below={(row) => (
                  <span className="block pl-11">
                    <StateMark {...creatorState(row)} />
                  </span>
                )}
                detail={(row) => (open === row.creator_id ? <CreatorDetail run={run} row={row} /> : null)}
                foot={show === null ? footOf(run, previous === null && next === null ? creators : null) : undefined}
              />
            )}
            <PagesNav onPrevious={previous} onNext={to(next)} />
          </div>
        )}
      </Answer>
    </section>
  );
}

/** @param all every creator of the run; null when they are on several pages */
function footOf(run: PayoutRunSums, all: readonly PayoutRunCreator[] | null): React.ReactNode[] {
  const { payouts, cents } = amountOf(run.payouts);
  const sum = (centsOf: (row: PayoutRunCreator) => number): string =>
    all === null ? '' : amount(all.reduce((total, row) => total + centsOf(row), 0));
  return [
    `${count(payouts)} of ${count(run.creators)} creators`,
    sum((row) => row.payable_cents),
    sum((row) => 0 - row.paid_before_cents),
    amount(cents),
    '',
  ];
}

interface NameProps {
  readonly row: PayoutRunCreator;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function Name({ row, open, onToggle }: NameProps): React.ReactNode {
  const name = row.name ?? 'No creator any more';
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className="flex min-h-9 items-center gap-3 rounded-sm text-left hover:underline"
    >
      <Avatar name={row.name ?? row.creator_id} size={32} shape="tile" />
      <span translate="no" className="font-[560] [overflow-wrap:anywhere]">
        {name}
      </span>
    </button>
  );
}

function Cents({ cents }: { readonly cents: number }): React.ReactNode {
  return <span className={cents === 0 ? 'text-ink-3' : undefined}>{amount(cents)}</span>;
}
