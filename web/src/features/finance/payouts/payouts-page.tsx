import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { ListedPayoutRun } from '../../../../../src/contract/payouts.js';
import { Button, ButtonLink } from '../../../components/button.js';
import { EmptyState } from '../../../components/states.js';
import { TextField } from '../../../components/text-field.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { useLinkedPages } from '../../../components/work-area/list-pages.js';
import type { ListColumn } from '../../../components/work-area/list-rows.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { useRequestId } from '../../../lib/use-request-id.js';
import { amount, count } from '../finance-text.js';
import { useIsAdmin } from '../shell/role.js';
import { PayoutActDialog } from './payout-act-dialog.js';
import { PAYOUTS_PATH, runPath } from './payout-paths.js';
import { amountOf, personText } from './payout-text.js';
import { RunBadge } from './state-mark.js';
import { Name } from '../../../components/name.js';

/** Runs of a page. */
const PAGE_SIZE = 12;

const COLUMNS: readonly ListColumn<ListedPayoutRun>[] = [
  {
    label: 'Run',
    cell: ({ run_id: id, number }) => (
      <Link to={runPath(id)} data-row className="font-[560] whitespace-nowrap hover:underline">
        Run {number}
      </Link>
    ),
  },
  { label: 'Cutoff', cell: ({ cutoff }) => formatUtcDay(cutoff), wideOnly: true },
  { label: 'State', cell: (run) => <RunBadge run={run} />, wideOnly: true },
  { label: 'Creators', cell: ({ payouts }) => count(amountOf(payouts).payouts), numeric: true, wideOnly: true },
  {
    label: 'Amount',
    cell: ({ payouts }) => <span className="font-[600]">{amount(amountOf(payouts).cents)}</span>,
    numeric: true,
  },
  {
    label: 'Drafted by',
    cell: (run) => <Name>{personText(run.drafted_by, run.drafted_by_name)}</Name>,
    wideOnly: true,
  },
  {
    label: 'Checked, recorded by',
    cell: (run) => <span translate={run.checked_by === null ? undefined : 'no'}>{secondPersons(run)}</span>,
    muted: true,
    wideOnly: true,
  },
];

/** /finance/payouts: all runs with their states and sums. */
export default function PayoutsPage(): React.ReactNode {
  const list = useLinkedPages(
    'list_payout_runs',
    { p_limit: PAGE_SIZE },
    { field: 'p_before', rows: ({ runs }) => runs, timings: liveTimings },
  );
  const mayAct = useMayAct();
  const isAdmin = useIsAdmin();
  const [drafting, setDrafting] = useState(false);
  useKeys([{ keys: ['N'], label: 'Draft', run: () => setDrafting(mayAct) }]);
  const draft = mayAct && (
    <Button kind="solid" onClick={() => setDrafting(true)}>
      Draft a run
    </Button>
  );
  return (
    <WorkPage
      title="Payouts"
      footer="Amounts are US dollars. Cancelled and failed payouts are in no sum"
      actions={
        <>
          {isAdmin && mayAct && <ButtonLink to={`${PAYOUTS_PATH}/record`}>Record transfers</ButtonLink>}
          {draft}
        </>
      }
    >
      <p className="mt-3 max-w-[66ch] text-14 text-ink-2">
        A run is drafted, its amounts are fixed, and a second person, an admin, checks it and records what the bank has
        paid.
      </p>
      <RpcList
        list={list}
        words={loadWords('the payout runs', 'payout runs')}
        empty={
          <EmptyState title="No payout run yet" action={draft}>
            A draft moves no money. It shows what each creator would be paid, and why others would not.
          </EmptyState>
        }
        caption="Payout runs, the latest first"
        columns={COLUMNS}
        rowKey={({ run_id: id }) => id}
        linked
        below={(run) => (
          <>
            <RunBadge run={run} />
            <span className="mt-1 block">{formatUtcDay(run.cutoff)}</span>
          </>
        )}
        className="mt-2"
      />
      {drafting && mayAct && <DraftDialog onClose={() => setDrafting(false)} />}
    </WorkPage>
  );
}

function secondPersons(run: ListedPayoutRun): string {
  const { checked_by: checker, checked_by_name: name, recorded_by: recorders } = run;
  if (checker === null) return 'Not yet';
  const names = [personText(checker, name), ...recorders.map((each) => personText(each.id, each.name))];
  return [...new Set(names)].join(', ');
}

function DraftDialog({ onClose }: { readonly onClose: () => void }): React.ReactNode {
  const [cutoff, setCutoff] = useState('');
  const { idOf, done } = useRequestId();
  const navigate = useNavigate();
  return (
    <PayoutActDialog
      title="Draft a payout run?"
      description="A draft moves no money and can be cancelled. You draft it, so another person must check it."
      action="Draft the run"
      act={() => {
        const wanted = cutoff.trim() === '' ? {} : { p_cutoff: cutoff.trim() };
        return reverifiedRpc('draft_payout_run', { p_run_id: idOf(wanted), ...wanted });
      }}
      done={({ number }) => `Run ${number} is being drafted.`}
      onDone={({ run_id: id }) => {
        done();
        void navigate(runPath(id));
      }}
      onClose={onClose}
    >
      <TextField
        label="Cutoff, UTC"
        className="mt-4"
        hint="A day such as 2026-11-01: what became payable before it is paid. Empty: today."
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        value={cutoff}
        onChange={(event) => setCutoff(event.target.value)}
      />
    </PayoutActDialog>
  );
}
