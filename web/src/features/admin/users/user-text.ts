import type { AdminTransaction, AdminUser, CreditProposal } from '../../../../../src/contract/admin-users.js';
import { counted } from '../../../lib/format.js';
import { shortId } from '../components/act-text.js';
import { formatUtcDay, formatUtcTime } from '../../../components/work-area/utc.js';

/** The name of a user; the address or id of one without a name. */
export function userName({ name, email, user_id }: Pick<AdminUser, 'name' | 'email' | 'user_id'>): string {
  return name || email || shortId(user_id);
}

/** The page of a user. */
export function userPath(userId: string): string {
  return `/admin/users/${encodeURIComponent(userId)}`;
}

const KINDS: Readonly<Record<NonNullable<AdminTransaction['kind']>, string>> = {
  daily: 'Daily',
  bonus: 'Bonus',
  paid: 'Purchased',
  mixed: 'Several',
};

/** The kind of credits that a transaction moved; empty when it moved none. */
export function kindText(kind: AdminTransaction['kind']): string {
  return kind === null ? '' : KINDS[kind];
}

/** `22 Nov 2026, 08:31`, in UTC */
export function formatUtcMinute(iso: string): string {
  return `${formatUtcDay(iso)}, ${formatUtcTime(iso).slice(0, 5)}`;
}

/** `1 credit`, `1,200 credits` */
export function creditsText(credits: number): string {
  return counted(credits, 'credit');
}

/** The effect of an approval: `Grant 5,000 bonus credits to Ines Falk` */
export function proposalText({ kind, amount, user_id, user_name }: CreditProposal): string {
  const name = user_name ?? shortId(user_id);
  return kind === 'grant'
    ? `Grant ${counted(amount, 'bonus credit')} to ${name}`
    : `Take ${creditsText(amount)} from ${name}`;
}

const PROBLEMS: Readonly<Record<string, readonly [title: string, step: string]>> = {
  unknown_session: [
    'A payment without a checkout',
    'Find the payment at the processor. Refund it there, or dismiss it when it is not ours.',
  ],
  unknown_payment: [
    'A payment that our key cannot read',
    'Look for it at the processor, and check what the key may read. Dismiss it when nothing is owed.',
  ],
  wrong_amount: ['A payment of another amount', 'Compare it at the processor. Refund it there: nothing was credited.'],
  wrong_currency: [
    'A payment in another currency',
    'Compare it at the processor. Refund it there: nothing was credited.',
  ],
  wrong_owner: ['A payment of another user', 'Compare it at the processor. Refund it there: nothing was credited.'],
  wrong_content: [
    'A payment for another bundle',
    'Compare it at the processor. Refund it there: nothing was credited.',
  ],
  ledger_refused: ['The ledger refused a payment', 'Read the account of the user, and run the verification.'],
  refund_refused: [
    'A refund of a closed account was refused',
    'Return the money by hand at the processor. The credits are gone already.',
  ],
  event_failing: [
    'A message of the processor fails',
    'It is tried again by itself. When it keeps failing, read the log of the server.',
  ],
  refund_failing: [
    'A refund fails',
    'It is tried again by itself. When it keeps failing, look at the processor whether it answers.',
  ],
};

/** A payment problem in words, and the next step of a person. */
export function problemText(kind: string): { readonly title: string; readonly step: string } {
  const [title, step] = PROBLEMS[kind] ?? ['A payment problem', 'Compare it with the payment at the processor.'];
  return { title, step };
}
