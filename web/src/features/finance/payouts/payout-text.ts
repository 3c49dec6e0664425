import type {
  ListedPayoutRun,
  PayoutLeftOutReason,
  PayoutRunCreator,
  PayoutSkipReason,
  PayoutState,
} from '../../../../../src/contract/payouts.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { counted } from '../../../lib/format.js';
import { dollars } from '../finance-text.js';

const SKIPS = {
  open: 'Another payout is on its way',
  negative: 'Owes: more was paid than is payable',
  nothing: 'Nothing is payable',
  below_minimum: 'Below the minimum',
  no_details: 'No payout details',
  details_changed: 'Details changed within 7 days',
  held: 'Held',
  failed_before: 'Last transfer failed, details unchanged',
} as const satisfies Record<PayoutSkipReason, string>;

/** The reason why creators have no payout. */
export function skipText(reason: PayoutSkipReason): string {
  return SKIPS[reason];
}

const LEFT_OUT = {
  no_details: 'no payout details',
  details_changed: 'details changed within 7 days',
  ending: 'its end has begun. End it again',
} as const satisfies Record<PayoutLeftOutReason, string>;

/** The reason why files for the bank leave a payout out. @param file the file that has it; null: none */
export function leftOutText(reason: PayoutLeftOutReason, file: number | null): string {
  return `${file === null ? 'Left out of files' : 'A download now leaves it out'}: ${LEFT_OUT[reason]}`;
}

const STATES = {
  drafted: 'Ready',
  fixed: 'Fixed',
  checked: 'Checked',
  paid: 'Paid',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const satisfies Record<PayoutState, string>;

/** The state of a payout in a word. */
export function stateText(state: PayoutState): string {
  return STATES[state];
}

/** The look of a state. */
export type StateTone = 'good' | 'warn' | 'bad' | 'neutral';

/** The state of a creator of a run in a few words. */
export function creatorState(creator: PayoutRunCreator): { readonly text: string; readonly tone: StateTone } {
  const { state, skipped, left_out: leftOut, file, paid_on: paidOn, payout_id: payoutId } = creator;
  if (skipped !== null) return { text: skipText(skipped), tone: 'warn' };
  if (payoutId === null || state === null) return { text: 'Being drafted', tone: 'neutral' };
  if (state === 'failed') return { text: 'Failed', tone: 'bad' };
  if (state === 'cancelled') return { text: 'Cancelled', tone: 'neutral' };
  if (state === 'paid') return { text: paidOn === null ? 'Paid' : `Paid ${formatUtcDay(paidOn)}`, tone: 'good' };
  // The bank may have the file already.
  if (leftOut !== null && file === null) return { text: leftOutText(leftOut, file), tone: 'warn' };
  if (state === 'checked' && file !== null) return { text: `In file ${file}`, tone: 'good' };
  return { text: stateText(state), tone: 'good' };
}

/** The state of a run. `part`: some payouts are paid, others are still due. */
export type RunState = 'draft' | 'fixed' | 'checked' | 'part' | 'paid' | 'cancelled';

/** The state of a run, from its step and its payouts. */
export function runState({ step, payouts }: Pick<ListedPayoutRun, 'step' | 'payouts'>): RunState {
  if (step === 'cancel') return 'cancelled';
  if (step === 'draft') return 'draft';
  if (step === 'fix') return 'fixed';
  const has = (state: PayoutState): boolean => payouts.some((sum) => sum.state === state);
  if (!has('paid')) return 'checked';
  return has('checked') ? 'part' : 'paid';
}

export const RUN_STATES = {
  draft: 'Draft',
  fixed: 'Fixed',
  checked: 'Checked',
  part: 'Partly paid',
  paid: 'Paid',
  cancelled: 'Cancelled',
} as const satisfies Record<RunState, string>;

/** The sum of payouts in some states. */
export function sumOf(
  payouts: ListedPayoutRun['payouts'],
  ...states: readonly PayoutState[]
): { readonly payouts: number; readonly cents: number } {
  return payouts
    .filter(({ state }) => states.includes(state))
    .reduce((sum, each) => ({ payouts: sum.payouts + each.payouts, cents: sum.cents + each.amount_cents }), {
      payouts: 0,
      cents: 0,
    });
}

/** The sum that a run pays or has paid: without what was cancelled or has failed. */
export function amountOf(payouts: ListedPayoutRun['payouts']): ReturnType<typeof sumOf> {
  return sumOf(payouts, 'drafted', 'fixed', 'checked', 'paid');
}

/** `$893.00 to 7 creators` */
export function amountText(payouts: ListedPayoutRun['payouts']): string {
  const { payouts: creators, cents } = amountOf(payouts);
  return `${dollars(cents)} to ${counted(creators, 'creator')}`;
}

/** The rows of payouts have not reached the last step of the run yet. */
export function isSettling({ step, working, payouts }: Pick<ListedPayoutRun, 'step' | 'working' | 'payouts'>): boolean {
  const behind = {
    draft: [],
    fix: ['drafted'],
    check: ['drafted', 'fixed'],
    cancel: ['drafted', 'fixed', 'checked'],
  } as const satisfies Record<ListedPayoutRun['step'], readonly PayoutState[]>;
  return working || sumOf(payouts, ...behind[step]).payouts > 0;
}

/** The name of a person, or a beginning of the id when the account was deleted. Null: the app. */
export function personText(id: string | null, name: string | null): string {
  if (id === null) return 'The app';
  return name ?? (id.length > 12 ? `${id.slice(0, 12)}…` : id);
}
