import type {
  ClosingCount,
  ClosingReceipt,
  ClosingStep,
  ClosingStepReceipt,
} from '../../../../src/contract/closing.js';
import { formatMoney, humanize } from '../../lib/format.js';

/** Address of the page that shows a receipt. The token is in the fragment, which browsers never send to a server. */
export function receiptPath(token: string): string {
  return `/closed-account#${token}`;
}

/** The effect of a step of a closure. */
export function stepText(step: ClosingStep, { choice }: Pick<ClosingReceipt, 'choice'>): string {
  switch (step) {
    case 'hide':
      return 'Nothing of the account is public any more';
    case 'pending':
      return 'Images in progress are cancelled and their credits returned';
    case 'content':
      return 'Images, prompts and other texts are erased';
    case 'creator':
      return 'The creator page and profile are erased';
    case 'checkouts':
      return 'Open checkouts are ended';
    case 'credits':
      return choice === 'refund' ? 'Unspent purchased credits are refunded' : 'Unspent purchased credits are given up';
    case 'processor':
      return 'The customer record at the payment processor is deleted';
    case 'identity':
      return 'Sign-in, name and e-mail address are deleted';
    default:
      return humanize(step);
  }
}

/** The state of a step. */
export function stateText({ state }: Pick<ClosingStepReceipt, 'state'>): string {
  if (state === 'done') return 'Done';
  return state === 'retrying' ? 'Trying again' : 'Waiting';
}

const NOUNS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  images: ['image', 'images'],
  files: ['file', 'files'],
  refusals: ['refused prompt', 'refused prompts'],
  reports: ['report', 'reports'],
  gallery_items: ['place in a gallery', 'places in galleries'],
  cancelled: ['image cancelled', 'images cancelled'],
  fans_cancelled: ['image of a fan cancelled', 'images of fans cancelled'],
  fans_images_hidden: ['image of a fan hidden', 'images of fans hidden'],
  checkouts: ['checkout', 'checkouts'],
  refunds: ['refund', 'refunds'],
  refunded_credits: ['credit refunded', 'credits refunded'],
  waived_credits: ['credit given up', 'credits given up'],
  customers: ['customer record', 'customer records'],
  receipts: ['link to a receipt', 'links to receipts'],
  users: ['user', 'users'],
};

/** Steps that many accounts do not need. */
const OPTIONAL: ReadonlySet<ClosingStep> = new Set(['pending', 'creator', 'checkouts', 'credits']);

/** The results of a step: `12 images, 72 files`, or that it had nothing to do. Empty while that is unknown. */
export function resultText({ step, state, counts }: Omit<ClosingStepReceipt, 'done_at'>): string {
  const text = countsText(counts);
  return text === '' && state === 'done' && OPTIONAL.has(step) ? 'There was nothing to do' : text;
}

function countsText(counts: readonly ClosingCount[]): string {
  const order = Object.keys(NOUNS);
  const rank = ({ name }: ClosingCount): number => (name in NOUNS ? order.indexOf(name) : order.length);
  return counts
    .filter(({ count }) => count > 0)
    .sort((a, b) => rank(a) - rank(b))
    .map(({ name, count }) => {
      if (name === 'refunded_cents') return `${formatMoney(count)} returned`;
      const [one, many] = NOUNS[name] ?? [humanize(name).toLowerCase(), humanize(name).toLowerCase()];
      return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
    })
    .join(', ');
}
