import type { ActValues, AdminAct } from '../../../../../src/contract/acts.js';
import { formatMoney } from '../../../lib/format.js';
import { monthText } from '../../../lib/months.js';
import { shortId, subjectText } from '../components/act-text.js';
import { formatUtcDay, formatUtcInstant } from '../../../components/work-area/utc.js';
import { FIELDS, VALUES } from './act-words.js';

const INSTANT = /^\d{4}-\d\d-\d\dT/;
const MONTH = /^\d{4}-\d\d$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-/i;
/** Changes that a row shows; the rest is in the unfolded entry. */
const CHANGES_SHOWN = 3;

type Value = ActValues[string];

/** The person who acted: `Rui Okafor`; `system` for a rule of the product. */
export function actorName({ actor_role, actor_name, actor_id }: AdminAct): string {
  return actor_role === 'system' ? 'system' : (actor_name ?? shortId(actor_id));
}

/** `balance 80, bonus credits 0`; `none` without values. */
export function valuesText(values: ActValues): string {
  const fields = Object.entries(values).map(([field, value]) => fieldText(field, value));
  return fields.length === 0 ? 'none' : fields.join(', ');
}

/** The values after the act, without what the act has names for: the subject, and who proposed it. */
export function valuesAfter({ after, subject_kind: kind }: AdminAct): ActValues {
  const named = [
    'proposal',
    'proposed_by',
    ...(kind === 'payout_run' ? ['number'] : ['book_month' === kind && 'month']),
  ];
  return Object.fromEntries(Object.entries(after).filter(([field]) => !named.includes(field)));
}

/** The proposer of what the act approves or declines: `proposed by Sol Brandt`; null without one. */
export function proposedBy({ after, proposer_name: name }: AdminAct): string | null {
  const { proposed_by: id } = after;
  const proposer = name ?? (typeof id === 'string' ? shortId(id) : null);
  return proposer === null ? null : `proposed by ${proposer}`;
}

/** The changes and the reason on one line: `bonus credits 0 to 10: Image of 19 Nov timed out`. */
export function detailText(act: AdminAct): string {
  const { before, reason } = act;
  const changes = Object.entries(valuesAfter(act))
    .filter(([field, value]) => value !== before[field] && !isNoise(value, before[field]))
    .slice(0, CHANGES_SHOWN)
    .map(([field, value]) => {
      const old = before[field];
      return old === undefined || old === null
        ? fieldText(field, value)
        : `${fieldText(field, old)} to ${valueText(field, value)}`;
    });
  const facts = [...changes, proposedBy(act)].filter((fact) => fact !== null).join(', ');
  return [facts, reason ?? ''].filter((part) => part !== '').join(': ');
}

/** An id, or a count or mark of what did not happen. The unfolded entry has them. */
function isNoise(value: Value, before: Value | undefined): boolean {
  return typeof value === 'string' ? UUID.test(value) : !value && before === undefined;
}

/** The subject that a filter by id means, from an entry that it has selected; else the id. */
export function aboutText(id: string, acts: readonly AdminAct[]): string {
  const [act] = acts;
  if (act?.subject_id === id) return subjectText(act);
  return (act?.user_id === id ? act.user_name : act?.creator_id === id ? act.creator_name : null) ?? id;
}

/** An event of the ledger as people call it: `Credits of Ines Falk, event 34`. */
export function eventText({ stream, version }: AdminAct['events'][number], act: AdminAct): string {
  const [kind = '', ...rest] = stream.split('-');
  const id = rest.join('-');
  const name = id === act.user_id ? act.user_name : id === act.creator_id ? act.creator_name : null;
  const owner = `${STREAMS[kind] ?? kind}${id === '' ? '' : ` of ${name ?? id}`}`;
  return `${owner}, event ${version.toLocaleString('en-US')}`;
}

const STREAMS: Readonly<Record<string, string>> = {
  creditAccount: 'Credits',
  creatorPayout: 'Payouts',
  creatorEarnings: 'Earnings',
  processor: 'The processor',
};

/** The address of an entry. It stays right when the log grows, because numbers never change. */
export function entryAddress({ id, number }: Pick<AdminAct, 'id' | 'number'>): string {
  return `/admin/log?${new URLSearchParams({ before: String(number + 1), open: id }).toString()}`;
}

function fieldText(field: string, value: Value): string {
  return `${FIELDS[field] ?? field.replace(/_cents$/, '').replaceAll('_', ' ')} ${valueText(field, value)}`;
}

function valueText(field: string, value: Value): string {
  if (value === null) return field === 'until' ? 'further notice' : 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return field.endsWith('_cents') ? formatMoney(value) : value.toLocaleString('en-US');
  if (INSTANT.test(value)) return value.endsWith('T00:00:00.000Z') ? formatUtcDay(value) : formatUtcInstant(value);
  if (MONTH.test(value)) return monthText.long(value);
  return VALUES[field]?.[value] ?? (/^[a-z_]+$/.test(value) ? value.replaceAll('_', ' ') : value);
}
