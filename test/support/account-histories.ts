import fc from 'fast-check';
import { v7 } from 'uuid';
import { DEFAULT_CREDIT_SETTINGS } from '../../src/credits/account/constants.js';
import {
  adjustCredits,
  deductCredits,
  grantBonusCredits,
  grantDailyCredits,
  refundDeduction,
  settleDeduction,
  waivePaidCredits,
} from '../../src/credits/account/decide.js';
import { purchaseCredits, reinstatePurchase, reversePurchase } from '../../src/credits/account/decide-purchases.js';
import { AdjustmentRefusedError } from '../../src/credits/account/errors.js';
import { type CreditEvent } from '../../src/credits/account/events.js';
import { emptyAccount, evolve, type AccountState } from '../../src/credits/account/state.js';
import { InsufficientCreditsError } from '../../src/credits/index.js';
import { paidSession } from './paid-session.js';

const START = Date.parse('2026-03-10T09:00:00Z');
const HOUR_MS = 3_600_000;

/** Something that happens to an account. */
export interface AccountCommand {
  readonly kind:
    | 'buy'
    | 'draw'
    | 'deliver'
    | 'fail'
    | 'reverse'
    | 'reinstate'
    | 'adjust'
    | 'waive'
    | 'daily'
    | 'gift'
    | 'wait';
  /** Chooses the subject among those that the command fits. */
  readonly index: number;
  readonly amount: number;
}

/** Commands of a fan, the processor and admins. Few purchases are left alone, and prices do not divide. */
export const accountCommands = fc.array(
  fc.record<AccountCommand>({
    kind: fc.constantFrom(
      ...(['buy', 'buy', 'draw', 'draw', 'draw', 'deliver', 'deliver', 'deliver', 'fail', 'reverse'] as const),
      ...(['reverse', 'reinstate', 'adjust', 'waive', 'daily', 'gift', 'wait'] as const),
    ),
    index: fc.nat(9),
    amount: fc.integer({ min: 1, max: 60 }),
  }),
  { maxLength: 40, size: 'max' },
);

/** The bundles of a history, and the cents of a reversal for each of the amount of its command. */
export interface AccountPrices {
  readonly bundles: readonly { readonly credits: number; readonly amountCents: number }[];
  readonly reversedCents: number;
}
const UNEVEN: AccountPrices = {
  bundles: [
    { credits: 100, amountCents: 1099 },
    { credits: 75, amountCents: 74 },
    { credits: 40, amountCents: 400 },
    { credits: 7, amountCents: 100 },
    { credits: 10, amountCents: 0 },
  ],
  reversedCents: 13,
};
const CREATORS = ['ada', 'bob'];

/** An event that the rules of the ledger wrote. */
export interface HistoryEvent {
  readonly version: number;
  readonly type: CreditEvent['type'];
  readonly data: CreditEvent['data'];
  readonly metadata: { readonly occurredAt: string };
}

/**
 * The events that the real ledger writes for some commands. Commands that it refuses write none.
 * @param onEvent called after each event with the state of the account then; it changes later
 * @param prices by default few of them divide
 */
export function accountHistory(
  commands: readonly AccountCommand[],
  onEvent: (event: HistoryEvent, state: AccountState) => void = () => undefined,
  { bundles, reversedCents } = UNEVEN,
): HistoryEvent[] {
  let state = emptyAccount();
  let at = START;
  const events: HistoryEvent[] = [];
  const run = (decide: (now: Date) => CreditEvent[]): void => {
    at += HOUR_MS;
    const now = new Date(at);
    for (const event of decided(decide, now)) {
      state = evolve(state, event, now);
      const stored = { version: events.length, ...event, metadata: { occurredAt: now.toISOString() } };
      events.push(stored);
      onEvent(stored, state);
    }
  };
  commands.forEach(({ kind, index, amount }, step) => {
    const pick = <T>(items: Iterable<T>): T | undefined => {
      const all = [...items];
      return all[index % (all.length || 1)];
    };
    if (kind === 'wait') at += amount * 24 * HOUR_MS;
    if (kind === 'buy') {
      const price = bundles[index % bundles.length] ?? { credits: 100, amountCents: 1000 };
      run((now) => purchaseCredits(paidSession({ sessionId: `cs_${step}`, ...price }), state, now));
    }
    if (kind === 'draw') {
      const image = { deductionId: v7({ msecs: at, seq: step }), amount, ownGeneration: index % 5 === 0 };
      const creatorId = CREATORS[index % CREATORS.length] ?? '';
      run((now) => deductCredits({ ...image, creatorId }, state, now, 'none'));
    }
    const open = pick(state.open.keys());
    if (kind === 'deliver' && open !== undefined) run((now) => settleDeduction({ deductionId: open }, state, now));
    if (kind === 'fail' && open !== undefined) {
      run((now) => refundDeduction({ deductionId: open, reason: 'timeout' }, state, now));
    }
    const sessionId = pick(state.purchases.keys());
    if (kind === 'reverse' && sessionId !== undefined) {
      const cause = index % 2 === 0 ? 'refund' : 'dispute';
      const reversal = { sessionId, reversalId: `re_${step}`, cause, amountCents: amount * reversedCents } as const;
      run((now) => reversePurchase(reversal, state, now));
    }
    const [reversalId, reversal] = pick(state.reversals) ?? [];
    if (kind === 'reinstate' && reversalId !== undefined && reversal) {
      run((now) => reinstatePurchase({ sessionId: reversal.lotId, reversalId }, state, now));
    }
    if (kind === 'adjust') {
      run((now) => adjustCredits({ adjustmentId: `adj_${step}`, amount, reason: 'A test' }, state, now));
    }
    if (kind === 'waive') run((now) => waivePaidCredits({ waiverId: `waiver_${step}` }, state, now));
    if (kind === 'daily') run((now) => grantDailyCredits(state, now, DEFAULT_CREDIT_SETTINGS, 'due'));
    if (kind === 'gift') {
      run((now) => grantBonusCredits({ grantId: `gift_${step}`, amount, reason: 'A test' }, state, now));
    }
  });
  return events;
}

function decided(decide: (now: Date) => CreditEvent[], now: Date): CreditEvent[] {
  try {
    return decide(now);
  } catch (error) {
    if (error instanceof InsufficientCreditsError || error instanceof AdjustmentRefusedError) return [];
    throw error;
  }
}
