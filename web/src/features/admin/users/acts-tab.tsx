import { useState } from 'react';
import type { ActValues, AdminAct } from '../../../../../src/contract/acts.js';
import { Badge } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { humanize } from '../../../lib/format.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { actText } from '../components/act-text.js';
import { Answer } from '../../../components/work-area/answer.js';
import { formatUtcMinute } from './user-text.js';

const PAGE_SIZE = 20;

/** The acts of admins that concern the user. */
export function ActsTab({ userId }: { readonly userId: string }): React.ReactNode {
  /** Where each page begins, the open one last. */
  const [starts, setStarts] = useState<readonly (number | null)[]>([null]);
  const query = useRpc('list_admin_acts', {
    p_about: userId,
    p_limit: PAGE_SIZE,
    p_before: starts.at(-1) ?? null,
  });
  return (
    <Answer
      query={query}
      failure="Failed to load the acts. Please try again."
      loadingText="Loading acts..."
      skeleton={<Skeleton className="mt-4 h-60 rounded-sm" />}
    >
      {(acts) => (
        <>
          {acts.length === 0 ? (
            <EmptyState className="mt-4" title="No admin has changed anything here" />
          ) : (
            <ul aria-label="Acts" className="mt-2 text-14">
              {acts.map((act) => (
                <Row key={act.id} act={act} />
              ))}
            </ul>
          )}
          {(starts.length > 1 || acts.length === PAGE_SIZE) && (
            <nav aria-label="Pages" className="mt-3.5 flex gap-2">
              <Button size={32} disabled={starts.length === 1} onClick={() => setStarts(starts.slice(0, -1))}>
                Previous
              </Button>
              <Button
                size={32}
                disabled={acts.length < PAGE_SIZE}
                onClick={() => setStarts([...starts, acts.at(-1)?.number ?? null])}
              >
                Next
              </Button>
            </nav>
          )}
        </>
      )}
    </Answer>
  );
}

function Row({ act }: { readonly act: AdminAct }): React.ReactNode {
  const { at, state, reason, before, after } = act;
  const changes = changesOf(before, after);
  return (
    <li className="border-b border-line py-2.5">
      <p className="text-13 text-ink-2 tabular-nums">{formatUtcMinute(at)} UTC</p>
      <p className="flex flex-wrap items-center gap-2">
        <span>{actText(act)}</span>
        {state === 'open' && <Badge>under way</Badge>}
        {state === 'refused' && <Badge tone="warn">had no effect</Badge>}
      </p>
      {changes !== '' && <p className="text-13 text-ink-2 tabular-nums">{changes}</p>}
      {reason !== null && <p className="break-words text-ink-2">“{reason}”</p>}
    </li>
  );
}

/** `Balance 80 to 100, Amount 20` */
function changesOf(before: ActValues, after: ActValues): string {
  return Object.entries(after)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const old = before[name];
      return `${humanize(name)} ${old === undefined || old === null ? '' : `${String(old)} to `}${String(value)}`;
    })
    .join(', ');
}
