import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { CREATOR_TERMS_EFFECTIVE, CREATOR_TERMS_VERSION } from '../../../../../src/contract/creator-terms.js';
import type { ConsentRecord } from '../../../../../src/contract/creators.js';
import { Button } from '../../../components/button.js';
import { Loading } from '../../../components/loading.js';
import { Skeleton } from '../../../components/skeleton.js';
import { QueryProblem } from '../../../components/states.js';
import { humanize } from '../../../lib/format.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { formatInstant } from './instants.js';
import { Fact, Section } from './section.js';
import type { ControlsProps } from './use-pause.js';
import { WithdrawDialog } from './withdraw-dialog.js';
import { problemOf } from '../../../lib/problem-of.js';
import { Name, Named } from '../../../components/name.js';

/** The agreement as it is recorded, and its withdrawal. */
export function Consent({ creator, onPageChange }: ControlsProps): React.ReactNode {
  const query = useRpc('get_own_consent_by_jwt', {});
  const { data: records, isPending, isError, error } = query;
  const [withdrawing, setWithdrawing] = useState(false);
  const accepted = records?.find(({ kind }) => kind === 'accepted');
  return (
    <Section id="consent" title="Consent" lead="What you have agreed to, as it is recorded.">
      {isPending && (
        <Loading text="Loading your consent" className="mt-4">
          <Skeleton className="h-40" />
        </Loading>
      )}
      {isError && !records && (
        <QueryProblem className="mt-4" title="Your consent could not be loaded" query={query}>
          It is recorded all the same. {problemOf(error)}
        </QueryProblem>
      )}
      {accepted && <Agreement record={accepted} name={creator.name} />}
      {records && records.length > 0 && <History records={records} />}
      {creator.withdrawn_at === null ? (
        <Withdraw onWithdraw={() => setWithdrawing(true)} />
      ) : (
        <Withdrawn withdrawnAt={creator.withdrawn_at} />
      )}
      <WithdrawDialog creator={creator} onPageChange={onPageChange} open={withdrawing} onOpenChange={setWithdrawing} />
    </Section>
  );
}

function Agreement({ record, name }: { readonly record: ConsentRecord; readonly name: string }): React.ReactNode {
  const effective = record.terms_version === CREATOR_TERMS_VERSION ? `, effective ${CREATOR_TERMS_EFFECTIVE}` : '';
  return (
    <dl className="mt-3 text-14">
      <Fact label="Agreement">
        <span>
          Creator Terms of Use {record.terms_version}
          {effective}
        </span>{' '}
        <a href="/creator-terms" target="_blank" rel="noopener" className="link">
          Read it<span className="sr-only"> (opens in a new tab)</span>
        </a>
      </Fact>
      <Fact label="Accepted">
        <time dateTime={record.at}>{formatInstant(record.at)}</time>
        <span>{record.method_of_acceptance !== null && `, ${methodOf(record.method_of_acceptance)}`}</span>
      </Fact>
      <Fact label="By">
        <Name>{[name, record.email].filter(Boolean).join(', ')}</Name>
      </Fact>
      <Fact label="Covers">Name, likeness and style, for pictures that fans order</Fact>
      {record.accepted_text_snapshot !== null && <Fact label="Your words">{record.accepted_text_snapshot}</Fact>}
      {record.terms_sha256 !== null && (
        <Fact label="SHA-256 of the text">
          <span translate="no" className="break-all tabular-nums">
            {record.terms_sha256}
          </span>
        </Fact>
      )}
    </dl>
  );
}

const KINDS: Record<ConsentRecord['kind'], string> = {
  accepted: 'Accepted',
  withdrawn: 'Consent withdrawn',
  paused: 'Paused',
  resumed: 'Opened again',
};

function History({ records }: { readonly records: readonly ConsentRecord[] }): React.ReactNode {
  return (
    <details className="mt-3 text-14">
      <summary className="w-fit cursor-pointer text-ink-2 hover:text-ink">
        Every step on record ({records.length})
      </summary>
      <ol aria-label="Every step on record" className="mt-2">
        {records.map(({ id, kind, at, terms_version: version, method_of_acceptance: method, email }) => (
          <li key={id} className="border-b border-line py-2.5 last:border-0">
            <p className="font-[560]">
              {KINDS[kind]}
              {version !== null && `: Creator Terms of Use ${version}`}
            </p>
            <p className="break-words text-ink-2 tabular-nums">
              <Named
                text={[formatInstant(at), method === null ? null : methodOf(method), email].filter(Boolean).join(', ')}
                name={email ?? undefined}
              />
            </p>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** `creator_application_form` becomes `in the creator application form`. */
function methodOf(method: string): string {
  return `in the ${humanize(method).toLowerCase()}`;
}

const CARD =
  'mt-6 flex flex-col gap-4 rounded-panel border border-line bg-surface p-5 sm:flex-row sm:items-center sm:gap-8 sm:px-6';

function Withdraw({ onWithdraw }: { readonly onWithdraw: () => void }): React.ReactNode {
  return (
    <div className={CARD}>
      <div className="min-w-0 grow">
        <h3 className="text-16 font-[600]">Withdraw consent</h3>
        <p className="mt-1 text-14 text-ink-2">
          At once: no new pictures, and your page and gallery close. Within 30 days: the model and its training works
          are deleted. Pictures that fans own stay theirs; payable and pending earnings are still paid. The record of
          your consent and of its end is kept.
        </p>
      </div>
      <Button kind="danger" aria-haspopup="dialog" onClick={onWithdraw}>
        Withdraw…
      </Button>
    </div>
  );
}

function Withdrawn({ withdrawnAt }: { readonly withdrawnAt: string }): React.ReactNode {
  const navigate = useNavigate();
  return (
    <div className={CARD}>
      <div className="min-w-0 grow">
        <h3 className="text-16 font-[600]">Consent withdrawn</h3>
        <p className="mt-1 text-14 text-ink-2">
          On {formatInstant(withdrawnAt)}. Accepting the terms again opens your page and your gallery. What you earned
          stays yours in any case.
        </p>
      </div>
      <Button
        kind="solid"
        onClick={() => void navigate('/creator/terms-acceptance', { state: { flowType: 'existing_creator' } })}
      >
        Accept again
      </Button>
    </div>
  );
}
