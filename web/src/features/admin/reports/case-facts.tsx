import { ShieldAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { STRIKES_TO_SUSPEND, type ModerationCase } from '../../../../../src/contract/moderation.js';
import { Badge } from '../../../components/badge.js';
import { REPORT_REASONS } from '../../../lib/report-reasons.js';
import { shortId } from '../components/act-text.js';
import { formatUtcDay, formatUtcInstant, formatUtcTime } from '../../../components/work-area/utc.js';
import { makerText, paidText, SHOWN } from './case-text.js';
import { Name, Named } from '../../../components/name.js';

/** The prompt, and everything that is known about the image and its maker. */
export function CaseFacts({ about }: { readonly about: ModerationCase }): React.ReactNode {
  const { prompt, creator_name, creator_id, delivered_at, created_at, paid_with, shown, kind, prompt_blocked } = about;
  return (
    <div className="min-w-0">
      <p className="text-14 text-ink-2">Prompt</p>
      <p translate="no" className="mt-1 text-20 break-words">
        {prompt}
      </p>
      <dl className="mt-4 text-14">
        <Fact term="Made with">
          <Link translate="no" className="link" to={`?creator=${creator_id}`}>
            {creator_name}
          </Link>
        </Fact>
        <Fact term="By">
          <Maker maker={about.maker} />
        </Fact>
        {delivered_at === null ? (
          <Fact term="Asked for">{formatUtcInstant(created_at)}</Fact>
        ) : (
          <Fact term="Delivered">{formatUtcInstant(delivered_at)}</Fact>
        )}
        {paid_with && <Fact term="Paid with">{paidText(paid_with)}</Fact>}
        {kind !== 'refusal' && <Fact term="Shown">{SHOWN[shown]}</Fact>}
        {about.due_at !== null && <Fact term="Decide until">{formatUtcInstant(about.due_at)}</Fact>}
        {prompt_blocked && (
          <Fact term="This prompt">
            Is already refused for <Name>{creator_name}</Name>
          </Fact>
        )}
      </dl>
    </div>
  );
}

function Maker({ maker }: { readonly maker: ModerationCase['maker'] }): React.ReactNode {
  const { user_id, strikes, suspended, suspended_until } = maker;
  return (
    <span>
      <span translate="no" title={user_id ?? undefined}>
        {user_id === null ? 'Unknown' : shortId(user_id)}
      </span>{' '}
      <span className="text-ink-2">{makerText(maker)}</span>
      {(strikes > 0 || suspended) && (
        <span className="mt-1 flex flex-wrap gap-2">
          {strikes > 0 && (
            <Badge tone={strikes >= STRIKES_TO_SUSPEND ? 'bad' : 'warn'} icon={<ShieldAlert aria-hidden />}>
              {strikes} of {STRIKES_TO_SUSPEND} strikes
            </Badge>
          )}
          {suspended && (
            <Badge tone="bad" icon={<ShieldAlert aria-hidden />}>
              {suspended_until === null ? 'Suspended' : `Suspended until ${formatUtcDay(suspended_until)}`}
            </Badge>
          )}
        </span>
      )}
    </span>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: React.ReactNode }): React.ReactNode {
  return (
    <div className="flex gap-4 border-b border-line py-[9px] last:border-0">
      <dt className="w-28 shrink-0 text-ink-2">{term}</dt>
      <dd className="min-w-0 flex-1 tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** The words of the reporters or of the creator, and the earlier acts on the image. */
export function CaseHistory({ about }: { readonly about: ModerationCase }): React.ReactNode {
  const { open_reports, request_reason, creator_name, history } = about;
  return (
    <>
      {request_reason !== null && (
        <Section title={`${creator_name} asks for a take-down`} name={creator_name}>
          <Item at={about.opened_at}>
            <p className="text-ink-2">{`“${request_reason}”`}</p>
          </Item>
        </Section>
      )}
      {open_reports.length > 0 && (
        <Section title={open_reports.length === 1 ? '1 report' : `${open_reports.length} reports`}>
          {open_reports.map(({ id, reason, note, created_at }) => (
            <Item key={id} at={created_at}>
              <p>{REPORT_REASONS.find(([value]) => value === reason)?.[1] ?? reason}</p>
              {note !== '' && <p className="break-words text-ink-2">{`“${note}”`}</p>}
            </Item>
          ))}
        </Section>
      )}
      {history.length > 0 && (
        <Section title="Before">
          {history.map(({ act_id, kind, at, by, reason }) => (
            <Item key={act_id} at={at}>
              <p>
                <Name>{by}</Name>
                <span>: {ACTS[kind] ?? kind}</span>
              </p>
              {reason !== null && <p className="break-words text-ink-2">{`“${reason}”`}</p>}
            </Item>
          ))}
        </Section>
      )}
    </>
  );
}

const ACTS: Readonly<Record<string, string>> = {
  'image.kept': 'kept',
  'image.hidden': 'hidden',
  'image.taken_down': 'taken down',
  'image.restored': 'restored',
  'refusal.reviewed': 'refusal reviewed',
  'prompt.blocked': 'prompt blocked',
  'prompt.unblocked': 'prompt unblocked',
};

interface SectionProps {
  readonly title: string;
  /** The name that the title contains. */
  readonly name?: string;
  readonly children: React.ReactNode;
}

function Section({ title, name, children }: SectionProps): React.ReactNode {
  return (
    <>
      <h3 className="mt-6 text-14 font-[600]">
        <Named text={title} name={name} />
      </h3>
      <ul className="mt-2 text-14">{children}</ul>
    </>
  );
}

function Item({ at, children }: { readonly at: string; readonly children: React.ReactNode }): React.ReactNode {
  return (
    <li className="flex gap-4 border-t border-line py-[9px]">
      <time dateTime={at} className="w-24 shrink-0 text-ink-2 tabular-nums">
        {formatUtcDay(at).replace(/ \d{4}$/, '')}, {formatUtcTime(at).slice(0, 5)}
      </time>
      <div className="min-w-0">{children}</div>
    </li>
  );
}
