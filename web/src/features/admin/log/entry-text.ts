import type { ActValues, AdminAct } from '../../../../../src/contract/acts.js';
import { formatMoney } from '../../../lib/format.js';
import { shortId } from '../components/act-text.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';

const INSTANT = /^\d{4}-\d\d-\d\dT/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-/i;
/** Changes that a row shows; the rest is in the unfolded entry. */
const CHANGES_SHOWN = 3;

type Value = ActValues[string];

/** The person who acted: `Rui Okafor`; `system` for a rule of the product. */
export function actorName({ actor_role, actor_name, actor_id }: AdminAct): string {
  return actor_role === 'system' ? 'system' : (actor_name ?? shortId(actor_id));
}

/** The subject in a few letters: its name, else its id. */
export function subjectText({ subject_kind, subject_name, subject_id, creator_name }: AdminAct): string {
  if (subject_kind === 'log') return 'The log';
  return subject_name ?? (subject_kind === 'gallery' ? creator_name : null) ?? shortId(subject_id);
}

/** `balance 80, bonus 0`; `none` without values. */
export function valuesText(values: ActValues): string {
  const fields = Object.entries(values).map(([field, value]) => fieldText(field, value));
  return fields.length === 0 ? 'none' : fields.join(', ');
}

/** The values after the act, with the name of who proposed it instead of the id. */
export function valuesAfter({ after, proposer_name }: AdminAct): ActValues {
  const { proposed_by: id } = after;
  return typeof id === 'string' ? { ...after, proposed_by: proposer_name ?? shortId(id) } : after;
}

/** The changes and the reason on one line: `bonus 0 to 10: Image of 19 Nov timed out`. */
export function detailText(act: AdminAct): string {
  const { before, reason } = act;
  const changes = Object.entries(valuesAfter(act))
    .filter(([field, value]) => value !== before[field] && !(typeof value === 'string' && UUID.test(value)))
    .slice(0, CHANGES_SHOWN)
    .map(([field, value]) => {
      const old = before[field];
      return old === undefined || old === null
        ? fieldText(field, value)
        : `${fieldText(field, old)} to ${valueText(field, value)}`;
    });
  return [changes.join(', '), reason ?? ''].filter((part) => part !== '').join(': ');
}

/** The address of an entry. It stays right when the log grows, because numbers never change. */
export function entryAddress({ id, number }: Pick<AdminAct, 'id' | 'number'>): string {
  return `/admin/log?${new URLSearchParams({ before: String(number + 1), open: id }).toString()}`;
}

function fieldText(field: string, value: Value): string {
  return `${field.replace(/_cents$/, '').replaceAll('_', ' ')} ${valueText(field, value)}`;
}

function valueText(field: string, value: Value): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return INSTANT.test(value) ? formatUtcInstant(value) : value;
  return field.endsWith('_cents') ? formatMoney(value) : value.toLocaleString('en-US');
}
