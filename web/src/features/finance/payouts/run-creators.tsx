import type { PayoutRunCreator, PayoutRunSums } from '../../../../../src/contract/payouts.js';
import { Avatar } from '../../../components/avatar.js';
import { EmptyState } from '../../../components/states.js';
import { FilterChip } from '../../../components/work-area/filter-chip.js';
import { useLinkedPages } from '../../../components/work-area/list-pages.js';
import type { ListColumn } from '../../../components/work-area/list-rows.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { useAddress } from '../../../components/work-area/use-address.js';
import { amount, count } from '../finance-text.js';
import { CreatorDetail } from './creator-detail.js';
import { amountOf, creatorState, isSettling } from './payout-text.js';
import { StateMark } from './state-mark.js';

const COLUMNS: readonly ListColumn<PayoutRunCreator>[] = [
  {
    label: 'Creator',
    cell: ({ creator_id: id, name }) => (
      <span className="flex min-h-9 items-center gap-3">
        <Avatar name={name ?? id} size={32} shape="tile" />
        <span translate="no" className="font-[560] [overflow-wrap:anywhere]">
          {name ?? 'No creator any more'}
        </span>
      </span>
    ),
  },
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
  const shown = SHOWN.find(({ value }) => value === show) ?? SHOWN[0];
  const list = useLinkedPages(
    'list_payout_run_creators',
    { p_run_id: run.run_id, ...shown.request },
    {
      field: 'p_after',
      rows: ({ creators }) => creators,
      timings: { ...liveTimings, refetchInterval: isSettling(run) ? 3_000 : liveTimings.refetchInterval },
    },
  );
  const { rows, pages } = list;
  const all = pages.previous === null && pages.next === null ? rows : null;
  return (
    <section aria-label="Creators of the run" className="min-w-0">
      <div role="group" aria-label="Show" className="flex flex-wrap gap-2">
        {SHOWN.map(({ value, label }) => (
          <FilterChip key={label} pressed={shown.value === value} onPress={() => setShow(value)}>
            {label}
          </FilterChip>
        ))}
      </div>
      <RpcList
        list={list}
        words={loadWords('the creators', 'creators')}
        empty={
          <EmptyState title={run.working ? 'Being drafted' : 'No creators'}>
            {run.working
              ? 'The creators appear here as they are drafted.'
              : show === null
                ? 'No creator had earned anything before the cutoff.'
                : 'No creator of this run is in this view.'}
          </EmptyState>
        }
        caption="Creators of the run, US dollars"
        columns={COLUMNS}
        rowKey={({ creator_id: id }) => id}
        below={(row) => (
          <span className="block pl-11">
            <StateMark {...creatorState(row)} />
          </span>
        )}
        detail={(row) => <CreatorDetail run={run} row={row} />}
        open={open}
        onOpen={setOpen}
        foot={show === null ? footOf(run, all) : undefined}
        className="mt-2"
      />
    </section>
  );
}

/** @param all every creator of the run; null when they are on several pages */
function footOf(
  run: PayoutRunSums,
  all: readonly PayoutRunCreator[] | null,
): (column: { readonly label: string }) => React.ReactNode {
  const { payouts, cents } = amountOf(run.payouts);
  const sum = (centsOf: (row: PayoutRunCreator) => number): string =>
    all === null ? '' : amount(all.reduce((total, row) => total + centsOf(row), 0));
  const sums: Readonly<Record<string, string>> = {
    Creator: `${count(payouts)} of ${count(run.creators)} creators`,
    Payable: sum((row) => row.payable_cents),
    'Paid before': sum((row) => 0 - row.paid_before_cents),
    'This run': amount(cents),
  };
  return ({ label }) => sums[label];
}

function Cents({ cents }: { readonly cents: number }): React.ReactNode {
  return <span className={cents === 0 ? 'text-ink-3' : undefined}>{amount(cents)}</span>;
}
