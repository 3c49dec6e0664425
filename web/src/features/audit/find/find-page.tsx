import { Link, useSearchParams } from 'react-router-dom';
import type { LedgerEvent } from '../../../../../src/contract/audit.js';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { Answer } from '../../../components/work-area/answer.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { accountPath, eventPath, userOfStream } from '../audit-paths.js';
import { shortId } from '../audit-text.js';

const PAGE_SIZE = 100;

/** /audit/find: the account of a user id, and the events that mention an id. */
export default function FindPage(): React.ReactNode {
  const [params, setParams] = useSearchParams();
  const id = params.get('id')?.trim() ?? '';
  const after = params.get('after');
  const query = useRpc(
    'find_ledger_events',
    { p_id: id, p_limit: PAGE_SIZE, ...(after === null ? {} : { p_after: after }) },
    { enabled: id !== '' },
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
          <Answer
            query={query}
            failure="Failed to search the ledger. Please try again."
            loadingText="Searching..."
            skeleton={<Skeleton className="mt-6 h-60 rounded-sm" />}
          >
            {({ events, next, complete }) => (
              <>
                {!complete && (
                  <p role="status" className="mt-4 text-14 text-warn">
                    This event store has no index of ids: only the account that the id belongs to was searched.
                  </p>
                )}
                {events.length === 0 ? (
                  <EmptyState className="mt-6" title="No event mentions this ID" />
                ) : (
                  <ul aria-label="Events" className="mt-4">
                    {events.map((event) => (
                      <FoundEvent key={event.event_id} event={event} />
                    ))}
                  </ul>
                )}
                {next !== null && (
                  <Button size={32} className="mt-4" onClick={() => setParams({ id, after: next })}>
                    Next {PAGE_SIZE}
                  </Button>
                )}
              </>
            )}
          </Answer>
        </>
      )}
    </WorkPage>
  );
}

function FoundEvent({ event }: { readonly event: LedgerEvent }): React.ReactNode {
  const { stream, version, type, at } = event;
  const userId = userOfStream(stream);
  const place = `${shortId(userId ?? stream, 36)}, version ${version}`;
  return (
    <li className="grid gap-x-4 border-b border-line py-2.5 text-14 tabular-nums sm:grid-cols-[220px_200px_minmax(0,1fr)]">
      <span className="font-[560]">{type}</span>
      <span className="text-ink-2">{at === null ? 'no time' : formatUtcInstant(at)}</span>
      {userId === null ? (
        <span translate="no" className="text-ink-2 [overflow-wrap:anywhere]">
          {place}
        </span>
      ) : (
        <Link translate="no" to={eventPath(userId, version)} className="link [overflow-wrap:anywhere]">
          {place}
        </Link>
      )}
    </li>
  );
}
