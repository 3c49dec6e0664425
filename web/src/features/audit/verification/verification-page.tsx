import { Check, CircleCheck, Minus, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { LedgerVerification } from '../../../../../src/contract/audit.js';
import { Badge } from '../../../components/badge.js';
import { Button, ButtonLink } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { Answer } from '../../../components/work-area/answer.js';
import { copyText } from '../../../components/work-area/copy-text.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { eventPath, accountPath, userOfStream } from '../audit-paths.js';

const COMMAND = 'node verify-fanvas.mjs export ledger.ndjson --key key.pem --log folder-of-the-log';
const SHOWS = [
  'An event that was changed, moved, slipped in or dropped breaks the chain and is named.',
  'Balances, earnings and months of the database are compared with the events.',
  'Delivered pictures are settled, failed ones are refunded, and paid checkouts are in the ledger.',
];
const SHOWS_NOT = [
  'What came after the last verified instant is not checked yet.',
  'A history that was rewritten as a whole is found only with copies of seals or checkpoints that you hold.',
  'An export or statement is checked without us: with one file, on your machine.',
];

/** /audit/verification: what the continuous verification knows, what it shows and what not. */
export default function VerificationPage(): React.ReactNode {
  const query = useRpc('get_ledger_verification', {}, liveTimings);
  return (
    <WorkPage title="Verification" heading={false} footer="Read only">
      <Answer
        query={query}
        failure="Failed to load the verification. Please try again."
        loadingText="Loading the verification..."
        skeleton={<Skeleton className="mt-4 h-48 rounded-sm" />}
      >
        {(state) => (
          <>
            <Result state={state} />
            <Problems state={state} />
          </>
        )}
      </Answer>
      <div className="mt-10 grid gap-x-12 gap-y-10 lg:grid-cols-2">
        <section aria-labelledby="shows">
          <h2 id="shows" className="display-sm text-24">
            What this shows, and what not
          </h2>
          <ul className="mt-3 text-14">
            {SHOWS.map((text) => (
              <li key={text} className="flex gap-3 border-t border-line py-2.5">
                <Check aria-label="Shown:" className="mt-0.5 size-4 shrink-0 text-good" />
                {text}
              </li>
            ))}
            {SHOWS_NOT.map((text) => (
              <li key={text} className="flex gap-3 border-t border-line py-2.5 text-ink-2">
                <Minus aria-label="Not shown:" className="mt-0.5 size-4 shrink-0" />
                {text}
              </li>
            ))}
          </ul>
        </section>
        <section
          aria-labelledby="without-us"
          className="self-start rounded-panel border border-line bg-surface p-5 text-14"
        >
          <h2 id="without-us" className="font-[600]">
            Without us
          </h2>
          <p className="mt-1 text-ink-2">
            Prove it on a machine of your own. The verifier is one file without dependencies; it shares no code with
            Fanvas.
          </p>
          <p className="mt-3 [overflow-wrap:anywhere]">{COMMAND}</p>
          <div className="mt-4 flex flex-wrap gap-2">
            <Button size={32} onClick={() => void copyText('Command', COMMAND)}>
              Copy command
            </Button>
            <a className="link self-center" href="/ledger/verify-fanvas.mjs" download>
              verify-fanvas.mjs
            </a>
            <Link className="link self-center" to="/audit/verify">
              Verify a file in this browser
            </Link>
          </div>
        </section>
      </div>
    </WorkPage>
  );
}

function Result({ state }: { readonly state: LedgerVerification }): React.ReactNode {
  const { problems, verified_until: until, succeeded_at: succeeded, events } = state;
  const title =
    until === null
      ? 'Not verified yet'
      : problems === 0
        ? 'No problems'
        : problems === 1
          ? '1 problem'
          : `${problems.toLocaleString('en-US')} problems`;
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
      <div>
        {until !== null && (
          <Badge
            tone={problems === 0 ? 'good' : 'bad'}
            icon={problems === 0 ? <CircleCheck aria-hidden /> : <TriangleAlert aria-hidden />}
          >
            {problems === 0 ? 'Verified continuously' : 'Needs a person'}
          </Badge>
        )}
        <h1 className="display mt-3 text-[3rem] sm:text-[4.5rem]">{title}</h1>
        <p className="mt-2 max-w-[60ch] text-16 text-ink-2">
          {until === null
            ? 'The first run has not ended. Until then nothing is known.'
            : `Everything stored before ${formatUtcInstant(until)} was checked: ${events.toLocaleString('en-US')} events.` +
              (succeeded === null ? '' : ` The last run ended at ${formatUtcInstant(succeeded)}.`)}
        </p>
      </div>
      <ButtonLink to="/audit/export" kind="solid">
        Signed export
      </ButtonLink>
    </div>
  );
}

function Problems({ state }: { readonly state: LedgerVerification }): React.ReactNode {
  const { first, problems } = state;
  if (first.length === 0) return null;
  return (
    <section aria-labelledby="problems" className="mt-8">
      <h2 id="problems" className="display-sm text-24">
        Problems
      </h2>
      <ul className="mt-3">
        {first.map(({ stream, version, kind, what: sentence, found_at: found }) => {
          const userId = userOfStream(stream);
          const place = `${stream}${version === null ? '' : `, version ${version}`}`;
          return (
            <li key={`${stream} ${version} ${kind} ${sentence}`} className="border-b border-line py-3 text-14">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Badge tone="warn">{kind}</Badge>
                {userId === null ? (
                  <span>{place}</span>
                ) : (
                  <Link
                    className="link [overflow-wrap:anywhere]"
                    to={version === null ? accountPath(userId) : eventPath(userId, version)}
                  >
                    {place}
                  </Link>
                )}
                <span className="text-ink-2">found {formatUtcInstant(found)}</span>
              </p>
              <p className="mt-1.5">{sentence}</p>
            </li>
          );
        })}
      </ul>
      {problems > first.length && (
        <p className="mt-3 text-14 text-ink-2">
          The first {first.length} of {problems.toLocaleString('en-US')} are shown.
        </p>
      )}
    </section>
  );
}
