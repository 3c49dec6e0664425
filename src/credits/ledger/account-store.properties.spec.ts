import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { FaultyEventStore, type Fault } from '../../../test/support/faulty-event-store.js';
import { ManualClock } from '../../platform/clock.js';
import {
  EventStoreUnavailableError,
  InvalidEventError,
  UnknownOutcomeError,
  type StoredEvent,
} from '../../platform/event-store/event-store.js';
import { verifyChain } from '../../platform/event-store/hash-chain.js';
import { UuidGenerator } from '../../platform/ids.js';
import type { Decide, Execution } from './pending-command.js';
import { AccountStore, AccountBusyError } from './account-store.js';
import { balancesAt, emptyAccount, evolve, type AccountState, type Balances } from '../account/state.js';
import { AccountAudit, type LedgerProblem } from '../../audit/verify/account-audit.js';
import { DeductionRefusedError, InsufficientCreditsError } from '../account/errors.js';
import { deductCredits, grantBonusCredits, refundDeduction, settleDeduction } from '../account/decide.js';
import { readCreditEvent } from '../account/events.js';

const NOW = new Date('2026-03-10T09:00:00Z');
const USER = 'user_1';
const STREAM = 'creditAccount-user_1';
const DEDUCTIONS = Array.from({ length: 8 }, (_, i) => v7({ msecs: NOW.getTime() + i }));

/** The store rejects events with this id, like content that it cannot store. */
const UNSTORABLE = DEDUCTIONS[7];

function decisionOf(kind: string, id: string, amount: number): Decide {
  if (kind === 'deduct')
    return (state, now) =>
      deductCredits({ deductionId: id, amount, creatorId: 'c', ownGeneration: false }, state, now, 'due');
  if (kind === 'settle') return (state, now) => settleDeduction({ deductionId: id }, state, now);
  if (kind === 'refund') {
    return (state, now) => refundDeduction({ deductionId: id, reason: 'generation_failed' }, state, now);
  }
  return (state, now) => grantBonusCredits({ grantId: id, amount: 5, reason: 'Contest' }, state, now);
}
/** Commands of one wave arrive together, like those of callers that were answered together. */
const command = fc.record({
  instance: fc.constantFrom(0, 0, 1),
  wave: fc.nat(20),
  kind: fc.constantFrom('deduct', 'deduct', 'deduct', 'settle', 'refund', 'grant'),
  id: fc.constantFrom(...DEDUCTIONS),
  amount: fc.constantFrom(3, 3, 3, 11),
});
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;
const commands = fc.array(command, { minLength: 2, maxLength: 60 });
const faults = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    fc.constantFrom<Fault>('answer lost', 'request lost', 'another writer was first', 'unreachable'),
  ),
  { maxLength: 12 },
);

/** The answer to a caller, and the number of events at the time of the command and of the answer. */
interface Answer {
  readonly id: string;
  readonly decide: Decide;
  readonly execution: Execution<Balances> | null;
  readonly error: unknown;
  readonly eventsBefore: number;
  readonly eventsAfter: number;
}

/** The account after the first events. */
function fold(events: readonly StoredEvent[], upTo: number): AccountState {
  const state = emptyAccount();
  for (const stored of events.slice(0, upTo)) evolve(state, readCreditEvent(stored), NOW);
  return state;
}

describe('AccountStore on two instances with lost answers', () => {
  it('writes every accepted command once, and refuses only commands that the rules refuse', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), commands, faults, async (scheduler, sequence, plan) => {
        const store = new FaultyEventStore(STREAM, NOW);
        store.faults.push(...plan);
        store.refuse = ({ data }) => data['deductionId'] === UNSTORABLE;
        store.pause = () => scheduler.schedule(Promise.resolve());
        const clock = new ManualClock(NOW);
        const instances = [0, 1].map(() => new AccountStore(store, clock, new UuidGenerator()));
        const send = async ({ instance, wave, kind, id, amount }: Command, place: number): Promise<Answer> => {
          for (let waited = 0; waited < wave; waited += 1) await scheduler.schedule(Promise.resolve());
          const decide = decisionOf(kind, id, amount);
          const origin = { actorId: USER, correlationId: `command-${place}` };
          const eventsBefore = store.events.length;
          const answered = (execution: Execution<Balances> | null, error: unknown): Answer => {
            return { id, decide, execution, error, eventsBefore, eventsAfter: store.events.length };
          };
          const done = instances[instance]?.execute(USER, origin, decide, balancesAt);
          return (
            done?.then(
              (execution) => answered(execution, null),
              (error: unknown) => answered(null, error),
            ) ?? answered(null, null)
          );
        };
        const all = await scheduler.waitFor(Promise.all(sequence.map(send)));

        const { events } = store;
        expect(verifyChain(events)).toBeNull();
        const problems: LedgerProblem[] = [];
        const audit = new AccountAudit(STREAM, (problem) => problems.push(problem));
        for (const event of events) audit.add(event);
        expect(problems).toEqual([]);
        for (const [place, { id, decide, execution, error, eventsBefore, eventsAfter }] of all.entries()) {
          const written = events.filter(({ metadata }) => metadata['correlationId'] === `command-${place}`);
          const moments = Array.from({ length: eventsAfter - eventsBefore + 1 }, (_, later) =>
            fold(events, eventsBefore + later),
          );
          const outcomes = moments.map((state) => outcomeOf(decide, state));
          if (execution) {
            expect(written.map(({ type, data }) => ({ type, data }))).toEqual(execution.events);
            const last = written.at(-1);
            if (last) {
              expect(Number(execution.position)).toBeGreaterThanOrEqual(last.version);
              expect(execution.answer).toEqual(balancesAt(fold(events, last.version + 1), NOW.getTime()));
            } else expect(outcomes).toContain('nothing to do');
          } else if (error instanceof DeductionRefusedError || error instanceof InsufficientCreditsError) {
            expect(written).toEqual([]);
            expect(outcomes).toContain(error.message);
          } else if (error instanceof InvalidEventError) {
            expect(written).toEqual([]);
            expect(id).toBe(UNSTORABLE);
          } else if (error instanceof UnknownOutcomeError) {
            expect(store.faults.length).toBeLessThan(plan.length);
          } else {
            expect([EventStoreUnavailableError, AccountBusyError]).toContain((error as Error).constructor);
            expect(written).toEqual([]);
          }
        }
      }),
    );
  }, 120_000);
});

function outcomeOf(decide: Decide, state: AccountState): string {
  try {
    return decide(state, NOW).length > 0 ? 'events' : 'nothing to do';
  } catch (error) {
    return (error as Error).message;
  }
}
