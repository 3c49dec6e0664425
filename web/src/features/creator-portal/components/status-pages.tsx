import { ArrowLeft, Clock, MessageSquare, Phone, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { CREATOR_TERMS_VERSION, REAPPLY_AFTER_DAYS } from '../../../../../src/contract/creator-terms.js';
import type { OwnCreator } from '../../../../../src/contract/creators.js';
import { Badge } from '../../../components/badge.js';
import { ButtonLink } from '../../../components/button.js';
import { Name } from '../../../components/name.js';
import { mayReapply } from '../portal-case.js';
import { ApplicantQuestions } from './applicant-questions.js';
import { CardToCome, StatusLayout, StatusSteps, type StatusStep } from './status-layout.js';
import { dateFormat } from '../../../lib/format.js';

interface StatusPageProps {
  readonly creator: OwnCreator;
}

const DAY_MS = 86_400_000;
const COMMON_REASONS = [
  'The Instagram account could not be confirmed',
  'The works are by several people, or of others',
  'The applicant is under 18',
];

/** Case 4: the application waits for a person who reads it. */
export function PendingPage({ creator }: StatusPageProps): React.ReactNode {
  const { name, instagram } = creator;
  const sent = creator.applied_at ?? creator.created_at;
  const steps: StatusStep[] = [
    {
      title: 'Application Submitted',
      text: (
        <span>
          <span>{day(sent)},</span>{' '}
          <Link to="/creator-terms" className="link tap">
            terms {CREATOR_TERMS_VERSION}
          </Link>{' '}
          accepted
        </span>
      ),
      state: 'done',
    },
    {
      title: 'Under Review',
      text: (
        <span>
          We check that <Name>{instagram}</Name> is you
        </span>
      ),
      state: 'now',
    },
    { title: 'Model Training', text: 'A representative trains your model with you', state: 'to-come' },
    { title: 'Creator Access', text: 'Your dashboard opens', state: 'to-come' },
  ];
  return (
    <StatusLayout
      title="Application Submitted"
      badge={
        <Badge tone="warn" icon={<Clock aria-hidden />}>
          Pending Review
        </Badge>
      }
      date={`Sent ${day(sent)}`}
      aside={
        <CardToCome name={name} caption="Your card on the home page, once fans can order: portrait and three works." />
      }
    >
      <p className="mt-4 max-w-[46ch] text-18 break-words text-ink-2">
        Thank you, <Name>{firstName(name)}</Name>. A person reads every application. The answer appears on this page;
        nothing is drawn in your style before that.
      </p>
      <ApplicantQuestions />
      <StatusSteps steps={steps} />
    </StatusLayout>
  );
}

/** Case 5: approved, but without a model. */
export function ModelTrainingPage({ creator }: StatusPageProps): React.ReactNode {
  const { name, email, applied_at: sent, decided_at: decided } = creator;
  const approved = decided === null ? 'Approved' : `Approved ${day(decided)}`;
  const steps: StatusStep[] = [
    { title: 'Application Submitted', text: day(sent ?? creator.created_at), state: 'done' },
    { title: 'Under Review', text: approved, state: 'done' },
    { title: 'Model Training', text: 'Waiting for the first call', state: 'now' },
    { title: 'Creator Access', text: 'Your dashboard opens', state: 'to-come' },
  ];
  return (
    <StatusLayout
      title="Ready for AI Model Training"
      badge={
        <Badge tone="warn" icon={<Phone aria-hidden />}>
          Pending Contact
        </Badge>
      }
      date={approved}
      aside={<CardToCome name={name} caption="Your card on the home page stays empty until your model is trained." />}
    >
      <p className="mt-4 max-w-[46ch] text-18 break-words text-ink-2">
        A representative will reach out to <Name>{email}</Name>. Have 20 to 30 works ready that you made yourself. You
        see test pictures before any fan does.
      </p>
      <StatusSteps steps={steps} />
    </StatusLayout>
  );
}

/** Case 7: the application was rejected. */
export function RejectedPage({ creator }: StatusPageProps): React.ReactNode {
  const { rejection_reason: reason, reapply_at: from, decided_at: decided } = creator;
  const [now] = useState(Date.now);
  const open = mayReapply(creator, now);
  return (
    <StatusLayout
      title="Application Not Approved"
      badge={
        <Badge tone="bad" icon={<X aria-hidden />}>
          Not Approved
        </Badge>
      }
      date={decided === null ? '' : `Decided ${day(decided)}`}
      aside={from !== null && <TimeLeft from={from} now={now} />}
    >
      {reason !== null && (
        <div className="mt-5 flex max-w-[600px] gap-3 rounded-ctl border border-line bg-surface px-4 py-3.5 text-14">
          <MessageSquare aria-hidden className="mt-px size-[18px] shrink-0" />
          <div className="min-w-0">
            <h2 className="text-ink-2">What the reviewer wrote</h2>
            <p className="whitespace-pre-line break-words">{reason}</p>
          </div>
        </div>
      )}
      <div className="mt-8 grid max-w-[760px] gap-x-10 gap-y-8 sm:grid-cols-2">
        <List title="Common reasons">
          {COMMON_REASONS.map((text) => (
            <Item key={text}>{text}</Item>
          ))}
        </List>
        <List title="Next steps">
          <Item>
            Read the{' '}
            <Link to="/creator-requirements" className="link">
              creator requirements
            </Link>
          </Item>
          <Item>
            You may reapply after {REAPPLY_AFTER_DAYS} days
            {from !== null && (
              <span>
                , from <strong className="font-[600] tabular-nums text-ink">{day(from)}</strong>
              </span>
            )}
          </Item>
          <Item>Your fan account stays as it is</Item>
        </List>
      </div>
      <div className="mt-8 flex flex-wrap gap-2">
        {open && (
          <ButtonLink kind="seal" to="/creator" state={{ applyAgain: true }}>
            Apply again
          </ButtonLink>
        )}
        <ButtonLink to="/">
          <ArrowLeft aria-hidden className="size-4" />
          Back to main site
        </ButtonLink>
      </div>
    </StatusLayout>
  );
}

/** Days until the person may apply again, as a number and a bar. */
function TimeLeft({ from, now }: { readonly from: string; readonly now: number }): React.ReactNode {
  const end = Date.parse(from);
  const remainingDays = Math.max(0, Math.ceil((end - now) / DAY_MS));
  const passed = Math.max(0, REAPPLY_AFTER_DAYS - remainingDays);
  return (
    <>
      <p className="display -ml-1 text-[7.5rem] tabular-nums lg:text-[11rem]">{remainingDays}</p>
      <p className="mt-2 text-14 text-ink-2">
        {remainingDays === 0 ? 'You may reapply now' : `${remainingDays === 1 ? 'day' : 'days'} until you may reapply`}
      </p>
      <div
        role="img"
        aria-label={`${passed} of ${REAPPLY_AFTER_DAYS} days have passed`}
        className="mt-4 h-1 overflow-hidden rounded-pill bg-hover"
      >
        <div className="h-full bg-seal-mark" style={{ width: `${(passed / REAPPLY_AFTER_DAYS) * 100}%` }} />
      </div>
      <p className="mt-2 flex justify-between text-13 tabular-nums text-ink-2">
        <span>{day(new Date(end - REAPPLY_AFTER_DAYS * DAY_MS).toISOString(), 'short')}</span>
        <span>{day(from, 'short')}</span>
      </p>
    </>
  );
}

function List({ title, children }: { readonly title: string; readonly children: React.ReactNode }): React.ReactNode {
  return (
    <div>
      <h2 className="display-sm text-24">{title}</h2>
      <ul className="mt-3">{children}</ul>
    </div>
  );
}

function Item({ children }: { readonly children: React.ReactNode }): React.ReactNode {
  return <li className="border-t border-line py-2.25 text-16 text-ink-2">{children}</li>;
}

/** `19 November 2026` or `19 Nov 2026`, in UTC as the server counts the days. */
function day(iso: string, month: 'long' | 'short' = 'long'): string {
  return dateFormat({ day: 'numeric', month, year: 'numeric', timeZone: 'UTC' }).format(new Date(iso));
}

function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name;
}
