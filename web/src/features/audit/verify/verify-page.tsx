import { CircleCheck, FileCheck, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../../components/button.js';
import { useFileChoice } from '../../../components/use-file-choice.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { counted, formatMoney } from '../../../lib/format.js';
import { useVerifier, type Verified } from './use-verifier.js';
import { VerifiedTrialBalance } from './verified-trial-balance.js';
import type { Verdict, VerifiedSums } from './verifier-messages.js';

/** /audit/verify: verifies a statement or an export in the browser. Needs no account; nothing is uploaded. */
export default function VerifyPage(): React.ReactNode {
  const { state, verify, cancel } = useVerifier();
  const [ownKey, setOwnKey] = useState('');
  const id = useId();
  const choice = useFileChoice({
    label: 'Statement or export',
    accept: '.ndjson,application/x-ndjson',
    onChoose: (file) => void verify(file, ownKey.trim()),
  });
  return (
    <main id="main" tabIndex={-1} className="wrap pt-10 pb-24 outline-none">
      <title>Verify a file · Fanvas</title>
      <h1 className="display text-44 sm:text-[3.5rem]">Verify a file</h1>
      <p className="mt-4 max-w-[62ch] text-16 text-ink-2">
        Choose a statement that you downloaded from your credits or your earnings, or an export of the whole ledger.
        Your browser recomputes every hash, balance and cent, and of an export the trial balance of the books, and
        compares the events with the public log. The file stays on your machine.
      </p>
      <div className="mt-8 max-w-[62ch]">
        {choice.field}
        <Button kind="solid" busy={state.kind === 'running'} busyLabel="Verifying..." onClick={choice.open}>
          <FileCheck aria-hidden className="size-[18px]" />
          Choose a file
        </Button>
        <label htmlFor={id} className="mt-8 block text-14 font-[600]">
          A key that you hold <span className="font-[400] text-ink-2">(optional)</span>
        </label>
        <textarea
          id={id}
          rows={3}
          value={ownKey}
          spellCheck={false}
          placeholder="-----BEGIN PUBLIC KEY-----"
          className="mt-1.5 block w-full resize-y rounded-ctl border border-line-strong bg-bg px-3 py-2 text-14"
          onChange={(event) => setOwnKey(event.target.value)}
        />
        <p className="mt-1 text-14 text-ink-2">
          Without one, the key that this site publishes is used. That proves nothing against Fanvas itself: keep a copy
          of the key, and use it here.
        </p>
      </div>
      {state.kind === 'running' && (
        <div className="mt-8 max-w-[62ch]">
          <progress aria-label="Verification" className="h-2 w-full accent-(--seal-mark)" value={state.done} max={1} />
          <Button size={32} className="mt-3" onClick={cancel}>
            Cancel
          </Button>
        </div>
      )}
      <div role="status">{state.kind === 'ended' && <Result verified={state.verified} />}</div>
      {state.kind === 'failed' && (
        <p role="alert" className="mt-8 text-16 text-bad">
          The file could not be verified. {state.reason}
        </p>
      )}
      <p className="mt-12 max-w-[62ch] text-14 text-ink-2">
        The verifier is{' '}
        <a className="link" href="/ledger/verify-fanvas.mjs">
          one file without dependencies
        </a>
        . It also runs with Node alone, on a machine without a connection to Fanvas.
      </p>
    </main>
  );
}

function Result({ verified }: { readonly verified: Verified }): React.ReactNode {
  const { name, verdict, byOwnKey } = verified;
  const holds = verdict.problemCount === 0;
  return (
    <section aria-label="Result" className="mt-10 rounded-panel border border-line p-6">
      <h2 className="display-sm flex items-center gap-3 text-32">
        {holds ? (
          <CircleCheck aria-hidden className="size-7 text-good" />
        ) : (
          <TriangleAlert aria-hidden className="size-7 text-bad" />
        )}
        <span>{headingOf(verdict)}</span>
      </h2>
      <p className="mt-2 text-14 text-ink-2 [overflow-wrap:anywhere]">
        {name}, verified with {byOwnKey ? 'the key that you gave' : 'the key that this site publishes'}.
      </p>
      {verdict.problems.length > 0 && (
        <ul className="mt-4 list-disc space-y-1 pl-5 text-14">
          {verdict.problems.map((sentence, index) => (
            <li key={index} className="[overflow-wrap:anywhere]">
              {sentence}
            </li>
          ))}
        </ul>
      )}
      {verdict.sums && <Sums sums={verdict.sums} />}
      {verdict.sums?.kind === 'export' && (
        <VerifiedTrialBalance balances={verdict.sums.trialBalance} parts={verdict.sums.creatorShare} />
      )}
    </section>
  );
}

function headingOf({ problemCount, sums }: Verdict): string {
  if (problemCount > 0) return counted(problemCount, 'problem');
  return sums?.kind === 'export' && sums.newer === null ? 'The file holds' : 'All holds';
}

function Sums({ sums }: { readonly sums: VerifiedSums }): React.ReactNode {
  return (
    <dl className="mt-4 grid grid-cols-[minmax(120px,auto)_minmax(0,1fr)] gap-x-6 gap-y-2 text-14 tabular-nums [&>dt]:text-ink-2">
      {factsOf(sums).map(([term, fact]) => (
        <div key={term} className="contents">
          <dt className="text-ink-2">{term}</dt>
          <dd className="[overflow-wrap:anywhere]">{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Names of the sums of a creator's statement, which are cents. */
const CENTS: Readonly<Record<string, string>> = {
  earnedCents: 'Earned',
  correctedCents: 'Taken back, less given back',
  payableCents: 'Payable, before payouts',
  pendingCents: 'Pending',
};

function factsOf(sums: VerifiedSums): readonly (readonly [string, string])[] {
  const figure = (value: number): string => value.toLocaleString('en-US');
  const instant = (milliseconds: number): string => formatUtcInstant(new Date(milliseconds).toISOString());
  if (sums.kind === 'statement') {
    return [
      [sums.stream.startsWith('creatorEarnings-') ? 'Earnings' : 'Account', sums.stream],
      ['Events', figure(sums.events)],
      ['As of', instant(sums.at)],
      ...Object.entries(sums.balance).map(([kind, amount]): [string, string] => {
        const cents = CENTS[kind];
        return cents === undefined ? [`Credits, ${kind}`, figure(amount)] : [cents, formatMoney(amount)];
      }),
      ['Public log', `The checkpoint of ${figure(sums.covered)} events covers the last event, and so all before it.`],
    ];
  }
  const cents = sums.creators.reduce((sum, creator) => sum + creator.cents, 0);
  return [
    ['Events', `${figure(sums.events)} in ${figure(sums.streams)} streams`],
    ['Balances as of', instant(sums.until)],
    ['Accounts', `${figure(sums.accounts)} with ${figure(sums.credits)} credits`],
    ['Creators', `${figure(sums.creators.length)} with ${formatMoney(cents)}`],
    ['Public log', logText(sums.newer)],
    ...(sums.later > 0 ? [['After the export', `The log has ${counted(sums.later, 'later event')}.`] as const] : []),
  ];
}

function logText(newer: number | null): string {
  if (newer === null) return 'The public log was not compared: this site has not published a checkpoint yet.';
  return newer === 0 ? 'covers all events' : `does not cover the newest ${counted(newer, 'event')} yet`;
}
