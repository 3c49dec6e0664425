import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { accountTime, balancesAt, emptyAccount, evolve, hasLapsed, type AccountState } from './account.js';
import {
  DeductCredits,
  DeductionRefusedError,
  GrantBonusCredits,
  GrantRefusedError,
  InsufficientCreditsError,
  RefundDeduction,
  SettleDeduction,
} from './commands.js';
import { DEFAULT_CREDIT_SETTINGS } from './constants.js';
import {
  deductCredits,
  grantBonusCredits,
  grantDailyCredits,
  openAccount,
  refundDeduction,
  settleDeduction,
} from './decide.js';
import type { Allocation, CreditEvent } from './events.js';

const START = Date.parse('2026-03-10T09:00:00Z');
const HOUR_MS = 3_600_000;
const DEDUCTIONS = Array.from({ length: 6 }, (_, i) => v7({ msecs: START + i }));

type Decision = (state: AccountState, now: Date) => CreditEvent[];

/** A command at an hour of a clock that jumps both ways, sent again at once as often as `repeats` says. */
interface Step {
  readonly name: string;
  readonly decide: Decision;
  readonly hour: number;
  readonly repeats: number;
}

const deductionId = fc.constantFrom(...DEDUCTIONS);
const decision: fc.Arbitrary<{ name: string; decide: Decision }> = fc.oneof(
  fc.constant({ name: 'open', decide: openAccount }),
  fc.constant({
    name: 'daily',
    decide: (state: AccountState, now: Date) => grantDailyCredits(state, now, DEFAULT_CREDIT_SETTINGS),
  }),
  fc.record({ grant: fc.constantFrom('g1', 'g2', 'g3'), amount: fc.integer({ min: -1, max: 12 }) }).map((gift) => ({
    name: `gift ${gift.grant} ${gift.amount}`,
    decide: (state: AccountState, now: Date) =>
      grantBonusCredits(new GrantBonusCredits('user', gift.grant, gift.amount, 'admin', 'Contest'), state, now),
  })),
  fc.record({ id: deductionId, amount: fc.integer({ min: 0, max: 25 }) }).map(({ id, amount }) => ({
    name: `deduct ${id} ${amount}`,
    decide: (state: AccountState, now: Date) => deductCredits(new DeductCredits('user', id, amount, 'c'), state, now),
  })),
  deductionId.map((id) => ({
    name: `settle ${id}`,
    decide: (state: AccountState, now: Date) => settleDeduction(new SettleDeduction('user', id), state, now),
  })),
  deductionId.map((id) => ({
    name: `refund ${id}`,
    decide: (state: AccountState, now: Date) => refundDeduction(new RefundDeduction('user', id, 'timeout'), state, now),
  })),
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc
    .record({ decision, hour: fc.integer({ min: -40, max: 24 * 40 }), repeats: fc.integer({ min: 0, max: 2 }) })
    .map(({ decision: { name, decide }, hour, repeats }) => ({ name, decide, hour, repeats })),
  { maxLength: 60, size: 'max' },
);

const REFUSALS = [DeductionRefusedError, GrantRefusedError, InsufficientCreditsError];
const isRefusal = (error: unknown): boolean => REFUSALS.some((refusal) => error instanceof refusal);

/** Runs the steps; every event is stored, also that of a command whose answer was lost and which is sent again. */
function run(
  sequence: Step[],
  check: (state: AccountState, at: number, history: CreditEvent[]) => void,
): CreditEvent[] {
  const state = emptyAccount();
  const history: CreditEvent[] = [];
  for (const { decide, hour, repeats } of sequence) {
    const now = new Date(START + hour * HOUR_MS);
    const at = new Date(accountTime(state, now));
    let events: CreditEvent[];
    try {
      events = decide(state, now);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      continue;
    }
    for (const event of events) evolve(state, event, at);
    history.push(...events);
    for (let i = 0; i < repeats; i += 1) expect(decide(state, now)).toEqual([]);
    if (events.length > 0) check(state, at.getTime(), history);
  }
  return history;
}

const total = (amounts: number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
const amountsOf = <T extends CreditEvent['type']>(history: CreditEvent[], type: T): number[] =>
  history.flatMap((event) => (event.type === type && 'amount' in event.data ? [event.data.amount] : []));

describe('the account, whatever is sent to it, in any order, repeated, and with a clock that jumps', () => {
  it('never holds a lot with nothing or less in it', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        run(sequence, ({ lots }) => expect(lots.filter(({ remaining }) => remaining <= 0)).toEqual([]));
      }),
    );
  });

  it('has as its balance the sum of its unexpired lots, as recomputed from the events alone', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        run(sequence, (state, at, history) => {
          const lots = replayLots(history);
          const unexpired = [...lots].filter(([key]) => !(Date.parse(key.split('|')[1] ?? '') <= at));
          expect(balancesAt(state, at).total).toBe(total(unexpired.map(([, amount]) => amount)));
        });
      }),
    );
  });

  it('accounts for every credit granted: remaining, in open deductions, settled or expired', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        run(sequence, (state, _, history) => {
          const remaining = total(state.lots.map((lot) => lot.remaining));
          const open = total([...state.open.values()].map(({ amount }) => amount));
          const settled = total(amountsOf(history, 'DeductionSettled'));
          const expired = total(amountsOf(history, 'CreditsExpired'));
          expect(total(amountsOf(history, 'CreditsGranted'))).toBe(remaining + open + settled + expired);
        });
      }),
    );
  });

  it('lets a deduction begin at most once and end at most once', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const history = run(sequence, () => undefined);
        const begun = history.flatMap((event) => (event.type === 'CreditsDeducted' ? [event.data.deductionId] : []));
        const ended = history.flatMap((event) =>
          event.type === 'DeductionSettled' || event.type === 'CreditsRefunded' || event.type === 'DeductionVoided'
            ? [event.data.deductionId]
            : [],
        );
        expect(new Set(begun).size).toBe(begun.length);
        expect(new Set(ended).size).toBe(ended.length);
      }),
    );
  });

  it('restores by a refund exactly what was taken: the same lots, kinds, amounts and prices', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const taken = new Map<string, Allocation[]>();
        const withoutExpiry = (parts: Allocation[]): unknown[] => parts.map((part) => ({ ...part, expiresAt: null }));
        for (const event of run(sequence, () => undefined)) {
          if (event.type === 'CreditsDeducted') taken.set(event.data.deductionId, event.data.allocations);
          if (event.type !== 'CreditsRefunded') continue;
          expect(withoutExpiry(event.data.restorations)).toEqual(
            withoutExpiry(taken.get(event.data.deductionId) ?? []),
          );
        }
      }),
    );
  });

  it('grants the sign-up bonus once, and daily credits once a day', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const history = run(sequence, () => undefined);
        const lotIds = history.flatMap((event) => (event.type === 'CreditsGranted' ? [event.data.lotId] : []));
        expect(new Set(lotIds).size).toBe(lotIds.length);
      }),
    );
  });

  it('writes the expiry of every lapsed lot, once, and of nothing that could still be spent', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const seen = new Set<string>();
        run(sequence, (state, at, history) => {
          expect(state.lots.filter((lot) => hasLapsed(lot, at))).toEqual([]);
          for (const event of history) {
            if (event.type === 'CreditsExpired') expect(Date.parse(event.data.expiresAt)).toBeLessThanOrEqual(at);
          }
        }).forEach((event) => {
          if (event.type !== 'CreditsExpired') return;
          const key = `${event.data.lotId}|${event.data.expiresAt}`;
          expect(seen.has(key)).toBe(false);
          seen.add(key);
        });
      }),
    );
  });
});

/** What each lot holds, by id and expiry, by plain addition: nothing in common with `evolve`. */
function replayLots(history: CreditEvent[]): Map<string, number> {
  const lots = new Map<string, number>();
  const add = ({ lotId, expiresAt }: Pick<Allocation, 'lotId' | 'expiresAt'>, amount: number): void => {
    const key = `${lotId}|${expiresAt ?? ''}`;
    lots.set(key, (lots.get(key) ?? 0) + amount);
  };
  for (const { type, data } of history) {
    if (type === 'CreditsGranted') add(data, data.amount);
    if (type === 'CreditsExpired') add(data, -data.amount);
    if (type === 'CreditsDeducted') data.allocations.forEach((part) => add(part, -part.amount));
    if (type === 'CreditsRefunded') data.restorations.forEach((part) => add(part, part.amount));
  }
  return lots;
}
