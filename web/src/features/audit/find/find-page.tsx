import { Link, useSearchParams } from 'react-router-dom';
import type { LedgerEvent } from '../../../../../src/contract/audit.js';
import { EmptyState } from '../../../components/states.js';
import { useLinkedPages } from '../../../components/work-area/list-pages.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { accountPath, eventPath, userOfStream } from '../audit-paths.js';
import { shortId } from '../audit-text.js';

const PAGE_SIZE = 100;

/** /audit/find: the account of a user id, and the events that mention an id. */
export default function FindPage(): React.ReactNode {
  const [params] = useSearchParams();
  const id = params.get('id')?.trim() ?? '';
  const list = useLinkedPages(
    'find_ledger_events',
    { p_id: id, p_limit: PAGE_SIZE },
    { field: 'p_after', rows: ({ events }) => events, param: 'after', timings: { enabled: id !== '' } },
  );
  // An account is named by its user, whose events need not mention the id.
  const account = useRpc('get_account_balance_at', { p_user_id: id }, { enabled: id !== '', retry: false });
  return (
    <WorkPage
      title="Find"
      back={{ to: '/audit', label: 'Accounts' }}
      footer="Searched: ids of events, actors, correlations, checkout sessions, generations, refunds and adjustments"
    >
      {id === '' ? (
        <EmptyState className="mt-4" title="Which ID?">
          Type the ID of a user, an event, a checkout session or a generation into Find.
        </EmptyState>
      ) : (
        <>
          <p translate="no" className="mt-2 text-14 text-ink-2 [overflow-wrap:anywhere]">
            {id}
          </p>
          {account.data?.user_id === id && (
            <p className="mt-4">
              <Link to={accountPath(id)} className="link text-16 font-[560]">
                Open the account of this user
              </Link>
            </p>
          )}
          <RpcList
            list={list}
            words={{
              failure: 'Failed to search the ledger. Please try again.',
              loading: 'Searching...',
              pages: ['Previous', `Next ${PAGE_SIZE}`],
            }}
            empty={<EmptyState title="No event mentions this ID" />}
            above={
              list.query.data?.complete === false && (
                <p role="status" className="mt-4 text-14 text-warn">
                  This event store has no index of ids: only the account that the id belongs to was searched.
                </p>
              )
            }
            caption="Events"
            rowKey={({ event_id: eventId }) => eventId}
            item={(event) => <FoundEvent event={event} />}
            className="mt-4"
          />
        </>
      )}
    </WorkPage>
  );
}

function FoundEvent({ event }: { readonly event: LedgerEvent }): React.ReactNode {
  const { stream, version, type, at } = event;
  const userId = userOfStream(stream);
  const position = `${shortId(userId ?? stream, 36)}, version ${version}`;
  return (
    <span className="grid w-full gap-x-4 sm:grid-cols-[220px_200px_minmax(0,1fr)]">
      <span className="font-[560]">{type}</span>
      <span className="text-ink-2">{at === null ? 'no time' : formatUtcInstant(at)}</span>
      {userId === null ? (
        <span translate="no" className="text-ink-2 [overflow-wrap:anywhere]">
          {position}
        </span>
      ) : (
        <Link translate="no" to={eventPath(userId, version)} className="link [overflow-wrap:anywhere]">
          {position}
        </Link>
      )}
    </span>
  );
}
