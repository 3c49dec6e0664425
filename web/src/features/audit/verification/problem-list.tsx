import { Link } from 'react-router-dom';
import type { VerificationProblem } from '../../../../../src/contract/audit.js';
import { Badge } from '../../../components/badge.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { accountPath, eventPath, userOfStream } from '../audit-paths.js';

interface ProblemListProps {
  readonly problems: readonly (Omit<VerificationProblem, 'kind'> & {
    readonly kind: string;
    readonly found_at?: string;
  })[];
  /** Number of all problems. */
  readonly total: number;
}

/** Problems with their kind, their place and a link to the event, and how many are not shown. */
export function ProblemList({ problems, total }: ProblemListProps): React.ReactNode {
  return (
    <>
      <ul className="[&>li+li]:border-t [&>li]:border-line">
        {problems.map(({ stream, version, kind, what: sentence, found_at: found }) => (
          <li key={`${stream} ${version} ${kind} ${sentence}`} className="py-3 text-14">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Badge tone="warn">{kind}</Badge>
              <EventLink stream={stream} version={version} />
              {found !== undefined && <span className="text-ink-2">found {formatUtcInstant(found)}</span>}
            </p>
            <p className="mt-1.5 [overflow-wrap:anywhere]">{sentence}</p>
          </li>
        ))}
      </ul>
      {total > problems.length && (
        <p className="pb-3 text-14 text-ink-2">
          The first {problems.length} of {total.toLocaleString('en-US')} are shown.
        </p>
      )}
    </>
  );
}

function EventLink({ stream, version }: Pick<VerificationProblem, 'stream' | 'version'>): React.ReactNode {
  const userId = userOfStream(stream);
  const name = stream === '*' ? 'Whole ledger' : stream;
  const text = version === null ? name : `${name}, version ${version}`;
  if (userId === null) return <span className="[overflow-wrap:anywhere]">{text}</span>;
  return (
    <Link
      className="link [overflow-wrap:anywhere]"
      to={version === null ? accountPath(userId) : eventPath(userId, version)}
    >
      {text}
    </Link>
  );
}
