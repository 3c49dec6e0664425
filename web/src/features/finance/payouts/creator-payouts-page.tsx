import { Hand } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import type { CreatorPayout, CreatorPayouts } from '../../../../../src/contract/payouts.js';
import { EmptyState } from '../../../components/states.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { useLinkedPages } from '../../../components/work-area/list-pages.js';
import type { ListColumn } from '../../../components/work-area/list-rows.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcDay, formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { payoutStatementPath } from '../../../lib/paths.js';
import { useEscBack } from '../components/use-esc-back.js';
import { amount } from '../finance-text.js';
import { useIsAdmin } from '../shell/role.js';
import { CreatorHold } from './creator-hold.js';
import { PAYOUTS_PATH, runPath } from './payout-paths.js';
import { personText, stateText, type StateTone } from './payout-text.js';
import { StateMark } from './state-mark.js';
import { Name, Named } from '../../../components/name.js';

const TONES = {
  drafted: 'good',
  fixed: 'good',
  checked: 'good',
  paid: 'good',
  failed: 'bad',
  cancelled: 'neutral',
} as const satisfies Record<CreatorPayout['state'], StateTone>;

const COLUMNS: readonly ListColumn<CreatorPayout>[] = [
  {
    label: 'Run',
    cell: ({ run_id: id, run_number: number, payout_id: payoutId, fixed_at: fixedAt }) => (
      <span className="flex flex-wrap items-baseline gap-x-3">
        <Link to={runPath(id)} className="font-[560] whitespace-nowrap hover:underline">
          {number === null ? 'Run' : `Run ${number}`}
        </Link>
        {fixedAt !== null && (
          <Link to={payoutStatementPath(payoutId)} className="link text-13 text-ink-2">
            Statement<span className="sr-only"> of run {number}</span>
          </Link>
        )}
      </span>
    ),
  },
  { label: 'Cutoff', cell: ({ cutoff }) => formatUtcDay(cutoff), wideOnly: true },
  { label: 'Payable', cell: ({ payable_cents: cents }) => amount(cents), numeric: true, wideOnly: true },
  { label: 'Paid before', cell: ({ paid_before_cents: cents }) => amount(0 - cents), numeric: true, wideOnly: true },
  {
    label: 'Amount',
    cell: ({ amount_cents: cents }) => <span className="font-[600]">{amount(cents)}</span>,
    numeric: true,
  },
  { label: 'State', cell: (payout) => <State payout={payout} />, wideOnly: true },
  {
    label: 'Bank reference',
    cell: ({ bank_reference: reference }) => reference !== null && <Name>{reference}</Name>,
    wideOnly: true,
  },
  {
    label: 'Recorded by',
    cell: ({ recorded_by: id, recorded_by_name: name }) => id !== null && <Name>{personText(id, name)}</Name>,
    wideOnly: true,
  },
];

/** /finance/payouts/creators/:creatorId: all payouts of a creator, and the hold. */
export default function CreatorPayoutsPage(): React.ReactNode {
  const { creatorId = '' } = useParams();
  const list = useLinkedPages(
    'list_creator_payouts',
    { p_creator_id: creatorId },
    { field: 'p_before', rows: ({ payouts }) => payouts },
  );
  const { query } = list;
  const mayAct = useMayAct();
  const isAdmin = useIsAdmin();
  useEscBack();
  const found = query.data?.creator_id === creatorId ? query.data : undefined;
  const name = found?.name ?? 'Creator';
  return (
    <WorkPage
      title={found === undefined ? 'Payouts of a creator' : `Payouts of ${name}`}
      name={found?.name ?? undefined}
      back={{ to: PAYOUTS_PATH, label: 'Payouts' }}
      actions={
        found !== undefined &&
        found.name !== null &&
        mayAct &&
        isAdmin && <CreatorHold creatorId={creatorId} name={found.name} payoutsHeld={found.hold?.holds === true} />
      }
      footer="Amounts are US dollars. Days are UTC"
    >
      <RpcList
        list={{ ...list, query: { ...query, data: found } }}
        words={loadWords('the payouts', 'payouts')}
        empty={
          <EmptyState title="No payout yet">
            A run drafts one as soon as enough is payable and there are payout details.
          </EmptyState>
        }
        above={found && <HoldNote hold={found.hold} />}
        caption="Payouts, the latest first, US dollars"
        columns={COLUMNS}
        rowKey={({ payout_id: id }) => id}
        below={(payout) => <State payout={payout} />}
        className="mt-2"
      />
    </WorkPage>
  );
}

function State({ payout }: { readonly payout: CreatorPayout }): React.ReactNode {
  const { state, paid_on: paidOn, reason } = payout;
  const text = state === 'paid' && paidOn !== null ? `Paid ${formatUtcDay(paidOn)}` : stateText(state);
  return <StateMark text={reason === null ? text : `${text}: “${reason}”`} tone={TONES[state]} />;
}

function HoldNote({ hold }: { readonly hold: CreatorPayouts['hold'] }): React.ReactNode {
  if (hold === null) return null;
  const by = `${personText(hold.held_by, hold.held_by_name)}, ${formatUtcInstant(hold.held_at)}: “${hold.reason}”`;
  const named = <Named text={by} name={personText(hold.held_by, hold.held_by_name)} />;
  if (!hold.holds) return <p className="mt-4 text-14 text-ink-2">Not held. The last hold or release: {named}</p>;
  return (
    <p className="mt-4 flex max-w-[66ch] gap-3 rounded-ctl bg-warn-wash p-4 text-14 text-warn">
      <Hand aria-hidden className="size-[18px] shrink-0" />
      <span className="[overflow-wrap:anywhere]">
        <b className="font-[600]">Held until {formatUtcInstant(hold.until)}</b>
        <br />
        {named}
      </span>
    </p>
  );
}
