import { Link as LinkIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { AdminAct } from '../../../../../src/contract/acts.js';
import { Badge } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { STATES, SUBJECTS } from './act-words.js';
import { ACTS, namesIn, subjectText } from '../components/act-text.js';
import { actorName, detailText, eventText, proposedBy, valuesAfter, valuesText } from './entry-text.js';
import { Name, Named } from '../../../components/name.js';

/** `Granted credits`, the verb in bold. */
export function ActName({ act }: { readonly act: AdminAct }): React.ReactNode {
  const [verb, object] = ACTS[act.kind];
  return (
    <>
      <b className="font-[600] text-ink">{verb}</b> <span className="text-ink-2">{object}</span>
    </>
  );
}

/** The state of the act unless it is done, then changes and reason in two lines at most. */
export function ActDetail({ act }: { readonly act: AdminAct }): React.ReactNode {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {act.state === 'open' && <Badge tone="warn">Open</Badge>}
      {act.state === 'refused' && <Badge tone="bad">Refused</Badge>}
      {act.undone_by !== null && <Badge>Undone</Badge>}
      <span className="line-clamp-2 min-w-0 break-words">
        <Named text={detailText(act)} name={namesIn(act)} />
      </span>
    </span>
  );
}

interface EntryProps {
  readonly act: AdminAct;
  readonly onCopy: () => void;
}

/** Everything that the log keeps of an act. */
export function Entry({ act, onCopy }: EntryProps): React.ReactNode {
  const { before, subject_kind, subject_id, actor_id, actor_role, reason, state, undone_by } = act;
  const names = namesIn(act);
  const proposer = proposedBy(act);
  return (
    <>
      <div className="grid grid-cols-1 gap-x-8 lg:grid-cols-2">
        <dl>
          <Field term="Before">
            <Named text={valuesText(before)} name={names} />
          </Field>
          <Field term="After">
            <Named text={valuesText(valuesAfter(act))} name={names} />
          </Field>
          {reason !== null && <Field term="Reason">{reason}</Field>}
          <Field term="On">
            <Named text={subjectText(act)} name={names} />
            <Id>
              <span>{SUBJECTS[subject_kind]}</span> <Name>{subject_id}</Name>
            </Id>
          </Field>
          <Field term="By">
            <span translate={actor_role === 'system' ? undefined : 'no'}>{actorName(act)}</span>
            {actor_role !== 'system' && (
              <Id>
                <span>{actor_role}</span> <Name>{actor_id}</Name>
              </Id>
            )}
            {proposer !== null && (
              <span className="block">
                <Named text={proposer} name={names} />
              </span>
            )}
          </Field>
          <Field term="State">{STATES[state]}</Field>
          <Field term="Undone by">
            {undone_by === null ? (
              'none'
            ) : (
              <Link
                className="link"
                to={`/admin/log?${new URLSearchParams({ about: subject_id, open: undone_by }).toString()}`}
              >
                A later act
              </Link>
            )}
          </Field>
        </dl>
        <dl>
          <Field term={act.events.length > 1 ? 'Events' : 'Event'}>
            {act.events.length === 0
              ? 'none'
              : act.events.map((event) => (
                  <span key={event.id} className="block">
                    <Named text={eventText(event, act)} name={names} />
                  </span>
                ))}
          </Field>
          <Field term="Request">{act.request_id === null ? 'none' : <Name>{act.request_id}</Name>}</Field>
          <Field term="Address">{act.address ?? (actor_role === 'system' ? 'none' : 'erased')}</Field>
          <Field term="Entry">
            {act.number.toLocaleString('en-US')}, {act.sealed ? 'sealed' : 'not sealed yet'}
          </Field>
          <Field term="Hash">
            <Name>{act.hash}</Name>
          </Field>
        </dl>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-14">
        {relatedTo(act).map(({ word, id }) => (
          <Link key={word} className="link" to={`/admin/log?${new URLSearchParams({ about: id }).toString()}`}>
            All acts about this {word}
          </Link>
        ))}
        <Button kind="quiet" size={32} className="-ml-3" onClick={onCopy}>
          <LinkIcon aria-hidden className="size-4" />
          Copy link
        </Button>
      </div>
    </>
  );
}

function Field({ term, children }: { readonly term: string; readonly children: React.ReactNode }): React.ReactNode {
  return (
    <div className="flex gap-x-4 py-1.5 text-14">
      <dt className="w-20 shrink-0 text-ink-2">{term}</dt>
      <dd className="min-w-0 break-words [overflow-wrap:anywhere] tabular-nums">{children}</dd>
    </div>
  );
}

/** An id below the name of what it identifies. */
function Id({ children }: { readonly children: React.ReactNode }): React.ReactNode {
  return <span className="block text-13 text-ink-2">{children}</span>;
}

/** The things that other acts may be about as well. */
function relatedTo({
  subject_kind,
  subject_id,
  user_id,
  creator_id,
}: AdminAct): readonly { readonly word: string; readonly id: string }[] {
  const related = [
    ...(subject_kind === 'log' ? [] : [{ word: SUBJECTS[subject_kind], id: subject_id }]),
    ...(user_id === null ? [] : [{ word: 'user', id: user_id }]),
    ...(creator_id === null ? [] : [{ word: 'creator', id: creator_id }]),
  ];
  return related.filter(({ id }, index) => related.findIndex((other) => other.id === id) === index);
}
