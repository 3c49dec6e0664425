import type { Difference, MovementKind, Reconciliation } from '../../../../../src/contract/reconciliation.js';
import { formatUtcDay, formatUtcShort, formatUtcTime } from '../../../components/work-area/utc.js';
import { counted } from '../../../lib/format.js';
import { dollars } from '../finance-text.js';

/** The rows of both sides. */
export const MOVEMENTS: Readonly<Record<MovementKind, string>> = {
  payment: 'Payments',
  refund: 'Refunds',
  dispute: 'Disputed',
  dispute_won: 'Disputes won',
  other: 'Other movements',
};

const MOVEMENT: Readonly<Record<MovementKind, string>> = {
  payment: 'Payment',
  refund: 'Refund',
  dispute: 'Dispute',
  dispute_won: 'Won dispute',
  other: 'Other movement',
};

const REASONS: Readonly<Record<string, string>> = {
  unknown_session: 'Paid, and not made by us',
  unknown_payment: 'Our key cannot read the payment',
  wrong_amount: 'Paid with another amount than offered',
  wrong_currency: 'Paid in another currency',
  wrong_owner: 'Paid for another person',
  wrong_content: 'Its content differs from the offer',
  ledger_refused: 'The ledger refused it',
  refund_refused: 'The processor refused the refund',
};

/** The two lines that name a difference. */
export function nameOf({ kind, movement, need, reason }: Difference): {
  readonly title: string;
  readonly note: string;
} {
  const side = { theirs_only: 'not in the ledger', ours_only: 'not at the processor', amounts: 'amounts differ' }[kind];
  const title = `${MOVEMENT[movement]}: ${side}`;
  if (need === 'nothing')
    return { title, note: kind === 'ours_only' ? 'Taken back in the ledger' : 'Returned in full' };
  return { title, note: reason === null ? '' : (REASONS[reason] ?? reason) };
}

/** The next step of a difference, or what a person must do. `person`: it waits for a person. */
export function needText(difference: Difference, now: number): { readonly text: string; readonly person: boolean } {
  const { need, next_try: number, next_try_at: at, movement } = difference;
  switch (need) {
    case 'nothing':
      return { text: 'Ended, nothing to do', person: false };
    case 'next_run':
      return { text: 'Both sides have it, ends with the next run', person: false };
    case 'retry': {
      const act = movement === 'payment' ? 'Credited by itself' : 'Done by itself';
      const when = at === null ? 'within the hour' : `try ${number} at ${formatUtcShort(at, now)}`;
      return { text: `${act}, ${when}`, person: false };
    }
    case 'admin_retry':
      return { text: 'Needs an admin: try again', person: true };
    case 'refund_there':
      return { text: 'Needs a person: refund it there', person: true };
    case 'look_there':
      return { text: 'Needs a person: look at it there', person: true };
  }
}

/** The sentence about all open differences. @param shown the differences of the period that are loaded */
export function verdictOf(
  found: Reconciliation,
  shown: readonly Difference[] | undefined,
): { readonly head: string; readonly text: string; readonly good: boolean } {
  const { open, open_in_period: inPeriod, compared_to: comparedTo } = found;
  if (open.count === 0) {
    const upTo = comparedTo === null ? '' : ` Everything before ${formatUtcTime(comparedTo)} UTC was compared.`;
    return { head: 'Both sides agree.', text: `Nothing is open.${upTo}`, good: true };
  }
  const head = `${counted(open.count, 'difference')}, ${dollars(open.cents)}.`;
  const standing = shown?.filter(({ need }) => need !== 'nothing');
  if (!standing || standing.length !== open.count || inPeriod.count !== open.count) {
    const outside = open.count - inPeriod.count;
    const where = outside === 0 ? 'All of them began' : `${inPeriod.count} of them began`;
    return { head, text: `${where} in this period.`, good: false };
  }
  const persons = standing.filter((each) => needText(each, 0).person).length;
  const needs = [
    ...(persons < standing.length ? [`${countText(standing.length - persons)} by itself`] : []),
    ...(persons > 0 ? [`${countText(persons)} with a person's help`] : []),
  ];
  const text = `${explanationOf(standing)} the whole difference. ${needs.join(', ')}.`.replace(
    /\. (\w)/,
    (_all, letter: string) => `. ${letter.toUpperCase()}`,
  );
  return { head, text, good: false };
}

const SIDES: Readonly<Record<Difference['kind'], string>> = {
  theirs_only: 'at the processor and not in the ledger',
  ours_only: 'in the ledger and not at the processor',
  amounts: 'on both sides with different amounts',
};

/** The side that all differences have in common, and that they explain the difference. */
function explanationOf(standing: readonly Difference[]): string {
  const [first] = standing;
  const explain = standing.length === 1 ? 'it explains' : 'together they explain';
  if (!first || standing.some(({ kind }) => kind !== first.kind))
    return explain.replace(/^./, (letter) => letter.toUpperCase());
  const subject = standing.length === 1 ? 'It is' : standing.length === 2 ? 'Both are' : `All ${standing.length} are`;
  return `${subject} ${SIDES[first.kind]}; ${explain}`;
}

/** The day of an instant, or a UTC day: `1 Nov` */
export function dayText(instant: string): string {
  return formatUtcDay(instant).replace(/ \d{4}$/, '');
}

function countText(count: number): string {
  return count === 1 ? 'one ends' : `${count} end`;
}
