import { CircleCheck, Clock, ExternalLink } from 'lucide-react';
import type { Application, ApplicationRow } from '../../../../../src/contract/applications.js';
import { Avatar } from '../../../components/avatar.js';
import { Badge } from '../../../components/badge.js';
import { Skeleton } from '../../../components/skeleton.js';
import { humanize } from '../../../lib/format.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { Acts } from '../../../components/work-area/acts.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { formatUtcDay, formatUtcInstant } from '../../../components/work-area/utc.js';
import { DecisionPanel } from './decision-panel.js';
import type { Review } from './use-review.js';
import { Name } from '../../../components/name.js';

interface ApplicationDetailProps {
  readonly row: ApplicationRow;
  readonly review: Review;
}

const BADGES = {
  pending: 'Pending Review',
  waiting_for_model: 'Waiting for a model',
  approved: 'Approved',
  rejected: 'Not Approved',
} as const;

/** Everything that is known about an applicant, and the decision. */
export function ApplicationDetail({ row, review }: ApplicationDetailProps): React.ReactNode {
  const query = useRpc('get_application_admin', { p_creator_id: row.creator_id });
  // While another applicant loads, the answer about the former one is still there.
  const own = query.data?.creator.id === row.creator_id ? query.data : undefined;
  return (
    <div className="rounded-panel border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-4 p-5 sm:p-6">
        <Avatar name={row.name} shape="tile" size={64} />
        <div className="min-w-0 flex-1 basis-48">
          <h2 translate="no" className="display-sm text-24 break-words sm:text-32">
            {row.name}
          </h2>
          <p translate="no" className="mt-1 text-14 break-words text-ink-2">
            {row.email}
          </p>
        </div>
        <Badge
          tone={row.state === 'approved' ? 'good' : row.state === 'rejected' ? 'bad' : 'warn'}
          icon={row.state === 'approved' ? <CircleCheck aria-hidden /> : <Clock aria-hidden />}
        >
          {BADGES[row.state]}
        </Badge>
      </header>
      <Answer
        query={{ ...query, data: own }}
        words={loadWords('the application')}
        skeleton={<Skeleton className="m-5 h-64" />}
      >
        {(application) => (
          <>
            <Facts application={application} />
            {row.state === 'rejected' ? (
              <p className="border-t border-line px-5 py-4 text-14 text-ink-2 sm:px-6">
                {application.creator.reapply_at === null
                  ? 'Not approved.'
                  : `May reapply from ${formatUtcDay(application.creator.reapply_at)}.`}
              </p>
            ) : (
              <Acts>
                <DecisionPanel row={row} application={application} review={review} />
              </Acts>
            )}
          </>
        )}
      </Answer>
    </div>
  );
}

function Facts({ application }: { readonly application: Application }): React.ReactNode {
  const { creator, applications, consent, decisions, questions, similar } = application;
  const accepted = consent.find(({ kind }) => kind === 'accepted');
  const earlier = applications.slice(1);
  return (
    <dl className="border-t border-line px-5 py-2 text-14 sm:px-6 [&>div]:flex [&>div]:flex-wrap [&>div]:gap-x-4 [&>div]:border-line [&>div]:py-2.5 [&>div:not(:first-child)]:border-t [&_dd]:min-w-0 [&_dd]:flex-1 [&_dd]:basis-52 [&_dd]:break-words [&_dt]:w-24 [&_dt]:shrink-0 [&_dt]:text-ink-2">
      <div>
        <dt>Instagram</dt>
        <dd>
          <a
            href={`https://www.instagram.com/${encodeURIComponent(creator.instagram.replace(/^@/, ''))}/`}
            target="_blank"
            rel="noreferrer"
            className="link inline-flex items-center gap-1"
          >
            <span translate="no">{creator.instagram}</span>
            <ExternalLink aria-hidden className="size-3.5" />
          </a>{' '}
          <span className="text-ink-2">opens in a new tab</span>
        </dd>
      </div>
      <div>
        <dt>Applied</dt>
        <dd>{creator.applied_at === null ? 'Added by an admin' : formatUtcInstant(creator.applied_at)}</dd>
      </div>
      <div>
        <dt>Terms</dt>
        <dd>
          {accepted ? (
            <>
              <span className="inline-flex flex-wrap items-center gap-x-1.5">
                <CircleCheck aria-hidden className="size-4 text-good" />
                <span className="text-good">{accepted.terms_version} accepted</span>
                <span className="text-ink-2">{formatUtcInstant(accepted.at)}</span>
              </span>
              <details className="mt-1 text-13 text-ink-2">
                <summary className="cursor-pointer">What was recorded</summary>
                <p className="mt-1">{accepted.accepted_text_snapshot}</p>
                <p className="mt-1 break-all">Text SHA-256 {accepted.terms_sha256 ?? 'not recorded'}</p>
                <p className="mt-1">
                  <Name>{accepted.email ?? ''}</Name> <span>· {accepted.user_agent}</span>
                </p>
              </details>
            </>
          ) : (
            'Not accepted'
          )}
        </dd>
      </div>
      <div>
        <dt>Before</dt>
        <dd>
          {earlier.length === 0
            ? 'No earlier application'
            : earlier.map((each) => (
                <p key={each.applied_at}>
                  <span>{formatUtcDay(each.applied_at)}, as</span> <Name>{`${each.name}, ${each.instagram}`}</Name>
                </p>
              ))}
        </dd>
      </div>
      <div>
        <dt>Account</dt>
        <dd>
          {application.account_created_at === null
            ? 'Not known'
            : `Since ${formatUtcDay(application.account_created_at)}`}
          {`, ${application.images_drawn.toLocaleString('en-US')} images drawn as a fan`}
        </dd>
      </div>
      {similar.length > 0 && (
        <div>
          <dt>Similar</dt>
          <dd>
            {similar.map((each) => (
              <p key={each.creator_id}>
                <Name>{`${each.name} (@${each.username}`}</Name>
                <span>
                  , {each.creator_status}): same {each.same === 'instagram' ? 'Instagram handle' : 'address'}
                </span>
              </p>
            ))}
          </dd>
        </div>
      )}
      {questions.length > 0 && (
        <div>
          <dt>Questions</dt>
          <dd className="space-y-2">
            {questions.map((each) => (
              <div key={each.id}>
                <p className="whitespace-pre-line">{each.question}</p>
                <p className="whitespace-pre-line text-ink-2">
                  {each.answer === null
                    ? `Asked ${formatUtcDay(each.asked_at)}, not answered yet`
                    : `Answer: ${each.answer}`}
                </p>
              </div>
            ))}
          </dd>
        </div>
      )}
      {decisions.length > 0 && (
        <div>
          <dt>Decisions</dt>
          <dd className="space-y-1">
            {decisions.map((each) => (
              <p key={`${each.at}${each.kind}`}>
                <span>
                  {humanize(each.kind)}, {formatUtcDay(each.at)}
                  {each.model !== null && `: ${each.model}`}
                  {each.reason !== null && `: ${each.reason}`}
                </span>
                {each.identity_verified !== null && (
                  <span className="block text-13 text-ink-2">
                    Identity: {each.identity_verified}. Age: {each.age_verified}. Instagram: {each.instagram_verified}.
                  </span>
                )}
              </p>
            ))}
          </dd>
        </div>
      )}
    </dl>
  );
}
