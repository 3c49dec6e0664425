import { ChevronDown } from 'lucide-react';
import type { AdminTransaction } from '../../../../../src/contract/admin-users.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { signed } from '../../../lib/format.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { formatUtcMinute, kindText } from './user-text.js';
import { Name } from '../../../components/name.js';

const PAGE_SIZE = 16;
const ROW = 'sm:grid sm:grid-cols-[140px_minmax(0,1fr)_84px_72px_72px_20px] sm:items-center sm:gap-x-3';

/** The account's history. Each row unfolds to the event of the ledger that made it. */
export function LedgerTab({ userId }: { readonly userId: string }): React.ReactNode {
  const list = useNumberedPages('get_user_ledger_admin', { p_user_id: userId }, PAGE_SIZE);
  return (
    <RpcList
      list={list}
      words={loadWords('the ledger')}
      empty={<EmptyState title="The ledger has nothing about this user" />}
      above={
        list.rows.length > 0 && (
          <div aria-hidden className={cx(ROW, 'hidden h-9 border-b border-line px-3 text-13 text-ink-2')}>
            <span>Time, UTC</span>
            <span>What</span>
            <span>Credits</span>
            <span className="text-right">Amount</span>
            <span className="text-right">Balance</span>
          </div>
        )
      }
      caption="Ledger"
      rowKey={({ id }) => id}
      item={(row) => <Entry row={row} />}
      detail={({ version }) => <EventDetail userId={userId} version={version} />}
      keys={{}}
    />
  );
}

function Entry({ row }: { readonly row: AdminTransaction }): React.ReactNode {
  const { created_at, description, kind, amount, balance_after } = row;
  return (
    <span className={cx(ROW, 'grid grid-cols-[minmax(0,1fr)_auto] gap-x-4')}>
      <span className="text-ink-2 max-sm:order-3">{formatUtcMinute(created_at)}</span>
      <span className="min-w-0 [overflow-wrap:anywhere] max-sm:order-1">{description}</span>
      <span className="text-ink-2 max-sm:order-4 max-sm:text-right">{kindText(kind)}</span>
      <span className={cx('text-right max-sm:order-2', amount > 0 && 'text-good')}>{signed(amount)}</span>
      <span className="text-right text-ink-2 max-sm:hidden">
        <span className="sr-only">balance </span>
        <span>{balance_after.toLocaleString('en')}</span>
      </span>
      <ChevronDown aria-hidden className="size-4 text-ink-2 in-aria-expanded:rotate-180 max-sm:hidden" />
    </span>
  );
}

interface EventDetailProps {
  readonly userId: string;
  readonly version: number;
}

/** An event as the ledger stores it. */
function EventDetail({ userId, version }: EventDetailProps): React.ReactNode {
  const query = useRpc(
    'get_ledger_event_admin',
    { p_user_id: userId, p_version: version },
    // Events never change; their seal comes later.
    { staleTime: 60_000 },
  );
  return (
    <Answer query={query} words={loadWords('the event')} skeleton={<Skeleton className="h-60 rounded-sm" />}>
      {(event) => (
        <div className="rounded-ctl border border-line bg-surface px-4 py-2 text-13">
          <dl>
            <Fact term="Event">{event.type}</Fact>
            <Fact term="Version">
              <span>{event.version.toLocaleString('en')} of</span> <Name>{event.stream}</Name>
            </Fact>
            <Fact term="Occurred">{formatUtcInstant(event.occurred_at)}</Fact>
            <Fact term="Recorded">{formatUtcInstant(event.recorded_at)}</Fact>
            <Fact term="Actor">{event.actor_id === null ? 'The product' : <Name>{event.actor_id}</Name>}</Fact>
            {event.causation_id !== null && (
              <Fact term="Caused by">
                <Name>{event.causation_id}</Name>
              </Fact>
            )}
            <Fact term="Data">
              <code translate="no" className="block font-mono whitespace-pre-wrap">
                {JSON.stringify(event.data, null, 2)}
              </code>
            </Fact>
            <Fact term="Hash">
              <code translate="no" className="font-mono">
                {event.hash}
              </code>
            </Fact>
            <Fact term="Event before">
              {event.previous_hash === null ? (
                'None: the first of the account'
              ) : (
                <code translate="no" className="font-mono">
                  {event.previous_hash}
                </code>
              )}
            </Fact>
            <Fact term="Seal">{event.seal === null ? 'Not sealed yet' : event.seal.toLocaleString('en')}</Fact>
          </dl>
        </div>
      )}
    </Answer>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: React.ReactNode }): React.ReactNode {
  return (
    <div className="flex gap-4 border-b border-line py-2 last:border-0 max-sm:flex-col max-sm:gap-0">
      <dt className="w-24 shrink-0 text-ink-2">{term}</dt>
      <dd className="min-w-0 flex-1 [overflow-wrap:anywhere] tabular-nums">{children}</dd>
    </div>
  );
}
