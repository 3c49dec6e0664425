import { Link } from 'react-router-dom';
import { Skeleton } from '../../../components/skeleton.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { EntryLines } from '../components/entry-lines.js';
import { eventPath } from '../finance-paths.js';

interface EventPanelProps {
  readonly userId: string;
  readonly version: number;
  /** With a link to the event's own page. */
  readonly linked?: boolean;
}

/** An event of the ledger with all of its entries. */
export function EventPanel({ userId, version, linked = false }: EventPanelProps): React.ReactNode {
  const query = useRpc('get_event_entries', { p_user_id: userId, p_version: version });
  return (
    <Answer query={query} words={loadWords('the event')} skeleton={<Skeleton className="h-72 rounded-sm" />}>
      {(lines) => (
        <>
          {lines[0] && (
            <>
              <h2 className="display-sm text-24">{lines[0].event_type}</h2>
              <p className="mt-1 text-14 tabular-nums text-ink-2">
                <span>
                  Version {version}, {formatUtcInstant(lines[0].occurred_at)}
                </span>
                {linked && (
                  <span>
                    {', '}
                    <Link to={eventPath(userId, version)} className="link">
                      its own page
                    </Link>
                  </span>
                )}
              </p>
            </>
          )}
          <EntryLines lines={lines} />
        </>
      )}
    </Answer>
  );
}
