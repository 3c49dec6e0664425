import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { EVENT_VERSIONS } from '../../contract/event-versions.js';
import type { StoredEvent } from '../../platform/event-store/event-store.js';
import { eventHash } from '../../platform/event-store/hash-chain.js';
import { balancesAt, emptyAccount, evolve, hasLapsed, timeOfEvents, type AccountState } from './state.js';
import { AccountAudit, type LedgerProblem } from '../../audit/verify/account-audit.js';
import {
  AdjustmentRefusedError,
  DeductionRefusedError,
  GrantRefusedError,
  InsufficientCreditsError,
  PurchaseRefusedError,
} from './errors.js';
import { DEFAULT_CREDIT_SETTINGS } from './constants.js';
import { purchaseCredits, reinstatePurchase, reversePurchase } from './decide-purchases.js';
import {
  adjustCredits,
  deductCredits,
  grantBonusCredits,
  grantDailyCredits,
  openAccount,
  refundDeduction,
  repairClock,
  settleDeduction,
  waivePaidCredits,
} from './decide.js';
import { utcDayOfDailyLot, type Allocation, type CreditEvent } from './events.js';
import { paidSession } from '../../../test/support/paid-session.js';
import { loadVerifier } from '../../../test/support/verifier.js';

const START = Date.parse('2026-03-10T09:00:00Z');
const HOUR_MS = 3_600_000;
const DEDUCTIONS = Array.from({ length: 6 }, (_, i) => v7({ msecs: START + i }));

type Decision = (state: AccountState, now: Date, history: readonly CreditEvent[]) => CreditEvent[];

/** A command at a time of a clock that jumps both ways. */
interface Step {
  readonly name: string;
  readonly decide: Decision;
  readonly hour: number;
  /** Outcome of the first attempt. After a loss, the command is sent again at a later time. */
  readonly delivery: 'answered' | 'request lost' | 'answer lost';
  readonly secondHour: number;
}

/**
 * Few ids and contents, so that repeats, contradictions and late arrivals are frequent. Prices with and without
 * remainder.
 */
const SESSIONS = ['cs_1', 'cs_2'];
const REVERSALS = ['re_1', 're_2', 'dp_1'];
const CREDITS = [7, 10, 10, 10];
const CENTS = [100, 100, 100, 0];

const sessionId = fc.constantFrom(...SESSIONS);
const reversalId = fc.constantFrom(...REVERSALS);
const deductionId = fc.constantFrom(...DEDUCTIONS);
const decision: fc.Arbitrary<{ name: string; decide: Decision }> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ name: 'open', decide: openAccount }) },
  {
    weight: 1,
    arbitrary: fc.constant({
      name: 'daily',
      decide: (state: AccountState, now: Date) => grantDailyCredits(state, now, DEFAULT_CREDIT_SETTINGS, 'due'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ grant: fc.constantFrom('g1', 'g2', 'g3'), amount: fc.integer({ min: -1, max: 12 }) })
      .map((gift) => ({
        name: `gift ${gift.grant} ${gift.amount}`,
        decide: (state: AccountState, now: Date) =>
          grantBonusCredits({ grantId: gift.grant, amount: gift.amount, reason: 'Contest' }, state, now),
      })),
  },
  {
    weight: 4,
    arbitrary: fc.record({ id: deductionId, amount: fc.integer({ min: 0, max: 40 }) }).map(({ id, amount }) => ({
      name: `deduct ${id} ${amount}`,
      decide: (state: AccountState, now: Date) =>
        deductCredits({ deductionId: id, amount, creatorId: 'c', ownGeneration: false }, state, now, 'due'),
    })),
  },
  {
    weight: 2,
    arbitrary: deductionId.map((id) => ({
      name: `settle ${id}`,
      decide: (state: AccountState, now: Date) => settleDeduction({ deductionId: id }, state, now),
    })),
  },
  {
    weight: 2,
    arbitrary: deductionId.map((id) => ({
      name: `refund ${id}`,
      decide: (state: AccountState, now: Date) => refundDeduction({ deductionId: id, reason: 'timeout' }, state, now),
    })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ id: sessionId, credits: fc.constantFrom(...CREDITS), cents: fc.constantFrom(...CENTS) })
      .map((bought) => ({
        name: `purchase ${bought.id} ${bought.credits} for ${bought.cents}`,
        decide: (state: AccountState, now: Date) =>
          purchaseCredits(
            paidSession({ sessionId: bought.id, credits: bought.credits, amountCents: bought.cents }),
            state,
            now,
          ),
      })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ id: sessionId, reversal: reversalId, cents: fc.integer({ min: 0, max: 130 }), refund: fc.boolean() })
      .map(({ id, reversal, cents, refund }) => ({
        name: `reverse ${id} by ${reversal}: ${cents}`,
        decide: (state: AccountState, now: Date) =>
          reversePurchase(
            { sessionId: id, reversalId: reversal, cause: refund ? 'refund' : 'dispute', amountCents: cents },
            state,
            now,
          ),
      })),
  },
  {
    weight: 3,
    arbitrary: fc.record({ id: sessionId, reversal: reversalId }).map(({ id, reversal }) => ({
      name: `reinstate ${id} after ${reversal}`,
      decide: (state: AccountState, now: Date) =>
        reinstatePurchase({ sessionId: id, reversalId: reversal }, state, now),
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ id: fc.constantFrom('a1', 'a2'), amount: fc.integer({ min: 0, max: 20 }) })
      .map(({ id, amount }) => ({
        name: `adjust ${id} ${amount}`,
        decide: (state: AccountState, now: Date) =>
          adjustCredits({ adjustmentId: id, amount, reason: 'Granted by mistake' }, state, now),
      })),
  },
  {
    weight: 1,
    arbitrary: fc.constant({
      name: 'repair the clock',
      // Ids made after the true time of a repair may be used again (ADR 30), so the repair comes after all ids.
      decide: (state: AccountState, now: Date, history: readonly CreditEvent[]) =>
        now.getTime() < START + DEDUCTIONS.length
          ? []
          : repairClock({ reason: 'Clock', grantedDays: daysGranted(history) }, state, now),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant({
      name: 'waive',
      decide: (state: AccountState, now: Date) => waivePaidCredits({ waiverId: 'closure' }, state, now),
    }),
  },
);
/** Sometimes so late that deductions are too old to judge. */
const hour = fc.oneof(
  { weight: 60, arbitrary: fc.integer({ min: -40, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 24 * 40 }) },
);
const delivery = fc.constantFrom<Step['delivery'][]>('answered', 'answered', 'request lost', 'answer lost');
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc
    .record({ decision, hour, delivery, secondHour: hour })
    .map(({ decision: { name, decide }, ...rest }) => ({ name, decide, ...rest })),
  { maxLength: 80, size: 'max' },
);

const REFUSALS = [
  AdjustmentRefusedError,
  DeductionRefusedError,
  GrantRefusedError,
  InsufficientCreditsError,
  PurchaseRefusedError,
];
const isRefusal = (error: unknown): boolean => REFUSALS.some((refusal) => error instanceof refusal);

/** Runs the steps and calls `check` after each one that wrote events. */
function run(
  sequence: Step[],
  check: (state: AccountState, at: number, history: CreditEvent[]) => void,
): CreditEvent[] {
  const state = emptyAccount();
  const history: CreditEvent[] = [];
  /** @returns whether it was accepted */
  const send = (decide: Decision, hourOfClock: number, isStored: boolean): boolean => {
    const now = new Date(START + hourOfClock * HOUR_MS);
    let events: CreditEvent[];
    let at: Date;
    try {
      events = decide(state, now, history);
      at = new Date(timeOfEvents(state, now, events));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return false;
    }
    if (!isStored) return true;
    for (const event of events) evolve(state, event, at);
    history.push(...events);
    if (events.length > 0) check(state, at.getTime(), history);
    return true;
  };
  for (const { decide, hour: first, delivery: fate, secondHour } of sequence) {
    const accepted = send(decide, first, fate !== 'request lost');
    if (fate === 'request lost') send(decide, secondHour, true);
    // A daily grant on another day and a deduction beyond the memory are no longer repeats.
    if (fate === 'answer lost' && accepted) {
      const written = history.length;
      send(decide, first, true);
      expect(history).toHaveLength(written);
    }
  }
  return history;
}

/** The UTC days of all daily grants. */
const daysGranted = (history: readonly CreditEvent[]): string[] =>
  history.flatMap(({ type, data }) =>
    type === 'CreditsGranted' && data.source === 'daily' ? [utcDayOfDailyLot(data.lotId)] : [],
  );

const total = (amounts: number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
const amountsOf = <T extends CreditEvent['type']>(history: CreditEvent[], type: T): number[] =>
  history.flatMap((event) => (event.type === type && 'amount' in event.data ? [event.data.amount] : []));

const purchasesIn = (history: CreditEvent[]) =>
  history.flatMap((event) => (event.type === 'CreditsPurchased' ? [event.data] : []));
const reversalsIn = (history: CreditEvent[]) =>
  history.flatMap((event) => (event.type === 'PurchaseReversed' ? [event.data] : []));

describe('account under arbitrary commands, repeats and clock jumps', () => {
  it('never holds an empty or negative lot', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        run(sequence, ({ lots }) => expect(lots.filter(({ remaining }) => remaining <= 0)).toEqual([]));
      }),
    );
  });

  it('has the sum of its unexpired lots as its balance, as recomputed from the events', () => {
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

  it('accounts for every credit: remaining, open, settled, expired, revoked, adjusted, repaid or waived', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        run(sequence, (state, _, history) => {
          const sum = (type: CreditEvent['type']): number => total(amountsOf(history, type));
          const came = sum('CreditsGranted') + sum('CreditsPurchased') + sum('PurchaseReinstated');
          const remaining = total(state.lots.map((lot) => lot.remaining));
          const open = total([...state.open.values()].map(({ amount }) => amount));
          const revoked = total(reversalsIn(history).map((reversal) => reversal.revoked));
          const taken = sum('CreditsAdjusted') + sum('DebtRepaid') + sum('CreditsWaived');
          const gone = sum('DeductionSettled') + sum('CreditsExpired') + taken;
          expect(came).toBe(remaining + open + revoked + gone);
        });
      }),
    );
  });

  it('owes what was reversed beyond the rest of the purchase, less repayments, never below zero', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        run(sequence, (state, _, history) => {
          const debts = [...state.purchases.values()].map(({ debt }) => debt);
          expect(debts.filter((debt) => debt < 0)).toEqual([]);
          const beyond = total(reversalsIn(history).map(({ debt }) => debt));
          expect(total(debts)).toBe(beyond - total(amountsOf(history, 'DebtRepaid')));
        });
      }),
    );
  });

  it('takes the share of the returned money from each purchase, rounded down, in any order of reversals', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        run(sequence, (state, _, history) => {
          for (const { lotId, amount, amountCents } of purchasesIn(history)) {
            const undone = history.flatMap((event) => (event.type === 'PurchaseReinstated' ? [event.data] : []));
            const standing = reversalsIn(history).filter(
              (reversal) => reversal.lotId === lotId && !undone.some((each) => each.reversalId === reversal.reversalId),
            );
            const cents = total(standing.map((reversal) => reversal.amountCents));
            const due = cents === 0 ? 0 : amountCents === 0 ? amount : Math.min(amount, (amount * cents) / amountCents);
            const taken = total(
              reversalsIn(history).map((each) => (each.lotId === lotId ? each.revoked + each.debt : 0)),
            );
            const back = total(undone.map((each) => (each.lotId === lotId ? each.amount : 0)));
            expect(taken - back).toBe(Math.floor(due));
            expect(state.purchases.get(lotId)).toMatchObject({
              reversedCents: cents,
              reversedCredits: Math.floor(due),
            });
          }
        });
      }),
    );
  });

  it('keeps no credits that arrive for a purchase while debt is open', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        let seen = 0;
        run(sequence, (state, _, history) => {
          const written = history.slice(seen);
          seen = history.length;
          const isOwing = [...state.purchases.values()].some(({ debt }) => debt > 0);
          if (!isOwing) return;
          const arrived = written.flatMap((event) => {
            if (event.type === 'CreditsPurchased' || event.type === 'PurchaseReinstated') return [event.data.amount];
            if (event.type !== 'CreditsRefunded') return [];
            const isReversed = ({ lotId }: Allocation): boolean =>
              (state.purchases.get(lotId)?.reversedCredits ?? 0) > 0;
            return event.data.restorations.filter(isReversed).map(({ amount }) => amount);
          });
          expect(total(amountsOf(written, 'DebtRepaid'))).toBe(total(arrived));
        });
      }),
    );
  });

  it('records a purchase, a reversal and its reinstatement once each', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const history = run(sequence, () => undefined);
        const once = (ids: string[]): void => expect(new Set(ids).size).toBe(ids.length);
        once(purchasesIn(history).map(({ lotId }) => lotId));
        once(reversalsIn(history).map((reversal) => reversal.reversalId));
        once(history.flatMap((event) => (event.type === 'PurchaseReinstated' ? [event.data.reversalId] : [])));
        once(history.flatMap((event) => (event.type === 'CreditsAdjusted' ? [event.data.adjustmentId] : [])));
      }),
    );
  });

  it('prices paid credits as paid, less than one cent per credit lost to rounding', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        run(sequence, (state, _, history) => {
          for (const { lotId, amount, amountCents, unitPriceCents } of purchasesIn(history)) {
            const remainder = amountCents - amount * unitPriceCents;
            expect(remainder >= 0 && remainder < amount).toBe(true);
            for (const lot of state.lots)
              if (lot.lotId === lotId) expect(lot).toMatchObject({ kind: 'paid', unitPriceCents });
          }
        });
      }),
    );
  });

  it('continues from a copy of its state with the same result', () => {
    fc.assert(
      fc.property(steps, fc.nat(200), (sequence, cut) => {
        const history = run(sequence, () => undefined);
        const fold = (state: AccountState, events: CreditEvent[]): AccountState =>
          events.reduce((folded, event) => evolve(folded, event, new Date(START)), state);
        const copy = structuredClone(fold(emptyAccount(), history.slice(0, cut)));
        expect(fold(copy, history.slice(cut))).toEqual(fold(emptyAccount(), history));
      }),
    );
  });

  it('writes only events that the audit accepts with its own fold', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const problems: LedgerProblem[] = [];
        const audit = new AccountAudit('creditAccount-user', (problem) => problems.push(problem));
        const stored: StoredEvent[] = [];
        run(sequence, (state, at, history) => {
          for (const event of history.slice(stored.length)) stored.push(storedAs(event, at, stored));
          expect(stored).toHaveLength(history.length);
          for (const event of stored.slice(audit.version + 1)) audit.add(event);
          expect(audit.lots.recorded().total).toBe(total(state.lots.map(({ remaining }) => remaining)));
        });
        audit.end();
        expect(problems).toEqual([]);
      }),
    );
  });

  it('writes only events that the independent verifier accepts, with the same balances', async () => {
    const { Account } = await loadVerifier();
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const problems: string[] = [];
        const account = new Account('creditAccount-user', (problem) => problems.push(problem));
        const stored: StoredEvent[] = [];
        const due: (object | null)[] = [];
        run(sequence, (state, at, history) => {
          for (const event of history.slice(stored.length)) {
            stored.push(storedAs(event, at, stored));
            due.push(null);
          }
          const open = total([...state.open.values()].map(({ amount }) => amount));
          const owed = total([...state.purchases.values()].map(({ debt }) => debt));
          due[stored.length - 1] = { total: balancesAt(state, at).total, open, owed };
        });
        for (const [index, event] of stored.entries()) {
          await account.add(event);
          const at = Date.parse(event.metadata['occurredAt'] as string);
          if (due[index]) expect(account.balance(at)).toMatchObject(due[index]);
        }
        account.end();
        expect(problems).toEqual([]);
      }),
    );
  });

  it('produces every event type in these sequences', () => {
    const histories = fc.sample(steps, { numRuns: 200, seed: 1 }).map((sequence) => run(sequence, () => undefined));
    const counts = new Map(Object.keys(EVENT_VERSIONS.creditAccount).map((type) => [type, 0]));
    for (const { type } of histories.flat()) counts.set(type, (counts.get(type) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count < 20)).toEqual([]);
  });

  it('begins and ends a deduction at most once', () => {
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

  it('restores exactly the lots, kinds, amounts and prices that a deduction took', () => {
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

  it('records the expiry of every lapsed lot once, and of no other lot', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const seen = new Set<string>();
        let checked = 0;
        run(sequence, (state, at, history) => {
          expect(state.lots.filter((lot) => hasLapsed(lot, at))).toEqual([]);
          for (const event of history.slice(checked)) {
            if (event.type === 'CreditsExpired') expect(Date.parse(event.data.expiresAt)).toBeLessThanOrEqual(at);
          }
          checked = history.length;
        }).forEach((event) => {
          // Credits that return after a repair expire again, at the true time.
          if (event.type === 'ClockRepaired') seen.clear();
          if (event.type !== 'CreditsExpired') return;
          const key = `${event.data.lotId}|${event.data.expiresAt}`;
          expect(seen.has(key)).toBe(false);
          seen.add(key);
        });
      }),
    );
  });
});

/** The next event of a stream, chained to the previous one. */
function storedAs({ type, data }: CreditEvent, at: number, before: readonly StoredEvent[]): StoredEvent {
  const stream = 'creditAccount-user';
  const version = before.length;
  const id = `event-${before.length}`;
  const metadata = { actorId: 'admin_1', eventId: id, occurredAt: new Date(at).toISOString() };
  const last = (before.at(-1)?.metadata.hash as string | undefined) ?? null;
  const hash = eventHash(last, { stream, version, id, type, data, metadata });
  const place = { position: String(version), recordedAt: new Date(at) };
  return { stream, version, id, type, data, metadata: { ...metadata, hash }, ...place };
}

/** Credits of each lot by id and expiry. Computed by plain addition, independent of `evolve`. */
function replayLots(history: CreditEvent[]): Map<string, number> {
  const lots = new Map<string, number>();
  const add = ({ lotId, expiresAt }: Pick<Allocation, 'lotId' | 'expiresAt'>, amount: number): void => {
    const key = `${lotId}|${expiresAt ?? ''}`;
    lots.set(key, (lots.get(key) ?? 0) + amount);
  };
  for (const { type, data } of history) {
    if (type === 'CreditsGranted') add(data, data.amount);
    if (type === 'CreditsExpired') add(data, -data.amount);
    if (type === 'CreditsAdjusted' || type === 'CreditsWaived')
      data.allocations.forEach((part) => add(part, -part.amount));
    if (type === 'CreditsPurchased' || type === 'PurchaseReinstated') add({ ...data, expiresAt: null }, data.amount);
    if (type === 'PurchaseReversed') add({ ...data, expiresAt: null }, -data.revoked);
    if (type === 'DebtRepaid') add({ ...data, expiresAt: null }, -data.amount);
    if (type === 'CreditsDeducted') data.allocations.forEach((part) => add(part, -part.amount));
    if (type === 'CreditsRefunded') data.restorations.forEach((part) => add(part, part.amount));
  }
  return lots;
}
