import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Kysely } from 'kysely';
import { v7 } from 'uuid';
import { AdminGrantLimit } from '../../src/credits/ledger/admin-grant-limit.js';
import { PolicyStore } from '../../src/credits/policy/policy-store.js';
import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { CreditActs } from '../../src/credits/ledger/credit-acts.js';
import { SignUpBonus } from '../../src/credits/ledger/sign-up-bonus.js';
import {
  DeductionRefusedError,
  GrantRefusedError,
  InsufficientCreditsError,
} from '../../src/credits/account/errors.js';
import { GetDeductionStatus, GetDeductionStatusHandler } from '../../src/credits/reads/get-deduction-status.js';
import { DeductCreditsHandler, DeductCredits } from '../../src/credits/use-cases/deduct-credits.js';
import { GrantBonusCreditsHandler, GrantBonusCredits } from '../../src/credits/use-cases/grant-bonus-credits.js';
import { GrantDailyCreditsHandler, GrantDailyCredits } from '../../src/credits/use-cases/grant-daily-credits.js';
import { OpenAccountHandler, OpenAccount } from '../../src/credits/use-cases/open-account.js';
import { PurchaseCredits, PurchaseCreditsHandler } from '../../src/credits/use-cases/purchase-credits.js';
import { RefundDeductionHandler, RefundDeduction } from '../../src/credits/use-cases/refund-deduction.js';
import { SettleDeductionHandler, SettleDeduction } from '../../src/credits/use-cases/settle-deduction.js';
import { DEFAULT_CREDIT_SETTINGS } from '../../src/credits/account/constants.js';
import type { CreditEvent } from '../../src/credits/account/events.js';
import { systemActor } from '../../src/platform/acts/actor.js';
import { Acts } from '../../src/platform/acts/acts.js';
import { type ActTables } from '../../src/platform/acts/tables.js';
import { ManualClock } from '../../src/platform/clock.js';
import type { StoredEvent } from '../../src/platform/event-store/event-store.js';
import { verifyChain } from '../../src/platform/event-store/hash-chain.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { withTestDatabase, type TestDatabase } from '../support/database.js';
import { EveryUserIsAPerson } from '../support/once-per-person.js';
import { paidSession } from '../support/paid-session.js';

const NOW = new Date('2026-03-10T09:00:00Z');
const ids = new UuidGenerator();

let database: TestDatabase<unknown>;
let eventStore: PostgresEventStore;
let clock: ManualClock;
let user: string;

beforeAll(async () => {
  database = await withTestDatabase();
  eventStore = new PostgresEventStore(database.pool, { now: () => clock.now() });
});
afterAll(async () => {
  await eventStore.close();
  await database.close();
});
beforeEach(() => {
  clock = new ManualClock(NOW);
  user = `user_${v7()}`;
});

/** One instance of the server: its own command queue on the shared database. */
class Instance {
  readonly accounts = new AccountStore(eventStore, clock, ids);
  private readonly policy = new PolicyStore(eventStore, clock, ids, DEFAULT_CREDIT_SETTINGS);
  private readonly limit = new AdminGrantLimit(database.pool, this.policy);
  private readonly creditActs = new CreditActs(this.accounts, new Acts(database.db as Kysely<ActTables>, clock, ids));
  private readonly persons = new EveryUserIsAPerson();
  private readonly bonus = new SignUpBonus(this.persons, clock);
  private readonly status = new GetDeductionStatusHandler(this.accounts, clock);

  readonly open = () => new OpenAccountHandler(this.accounts, this.persons).execute(new OpenAccount({ userId: user }));
  readonly daily = () =>
    new GrantDailyCreditsHandler(this.accounts, this.bonus, this.policy).execute(
      new GrantDailyCredits({ userId: user }),
    );
  readonly gift = (amount: number) =>
    new GrantBonusCreditsHandler(this.accounts, this.limit, this.creditActs, clock).execute(
      new GrantBonusCredits({ userId: user, grantId: 'gift', amount, by: systemActor('admin_1'), reason: 'Contest' }),
    );
  readonly deduct = (id: string, amount = 10) =>
    new DeductCreditsHandler(this.accounts, this.bonus).execute(
      new DeductCredits({ userId: user, deductionId: id, amount, creatorId: 'creator_1', ownGeneration: false }),
    );
  readonly settle = (id: string) =>
    new SettleDeductionHandler(this.accounts).execute(new SettleDeduction({ userId: user, deductionId: id }));
  readonly refund = (id: string) =>
    new RefundDeductionHandler(this.accounts).execute(
      new RefundDeduction({ userId: user, deductionId: id, reason: 'generation_failed' }),
    );
  readonly statusOf = (id: string) => this.status.execute(new GetDeductionStatus({ userId: user, deductionId: id }));
}

const stream = (): Promise<StoredEvent[]> => eventStore.readStream(`creditAccount-${user}`);
const newDeductionId = (): string => v7({ msecs: clock.now().getTime() });
const countOf = (events: StoredEvent[], type: string): number => events.filter((event) => event.type === type).length;
const succeeded = (answers: PromiseSettledResult<unknown>[]): number =>
  answers.filter(({ status }) => status === 'fulfilled').length;
const refusals = (answers: PromiseSettledResult<unknown>[]): unknown[] =>
  answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));

/** Every granted credit is accounted for, no lot is below zero, and the hash chain is valid. */
async function expectSoundLedger(): Promise<void> {
  const events = await stream();
  expect(verifyChain(events)).toBeNull();
  expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index));
  const sumOf = (type: string): number =>
    events.filter((event) => event.type === type).reduce((sum, { data }) => sum + Number(data.amount), 0);
  const { state } = await new Instance().accounts.load(user);
  const remaining = state.lots.reduce((sum, lot) => sum + lot.remaining, 0);
  const open = [...state.open.values()].reduce((sum, { amount }) => sum + amount, 0);
  expect(state.lots.every((lot) => lot.remaining > 0)).toBe(true);
  expect(sumOf('CreditsGranted')).toBe(remaining + open + sumOf('DeductionSettled') + sumOf('CreditsExpired'));
}

describe('credit ledger on Postgres', () => {
  it('opens an account once when several instances open it at the same time', async () => {
    const instances = [new Instance(), new Instance(), new Instance()];
    const answers = await Promise.all(
      Array.from(
        { length: 12 },
        (_, i) => instances[i % instances.length]?.open() ?? Promise.reject(new Error('none')),
      ),
    );
    expect(answers.map(({ balances }) => balances.total)).toEqual(Array<number>(12).fill(30));
    expect(answers.filter(({ granted }) => granted > 0)).toHaveLength(1);
    expect(await stream()).toHaveLength(1);
  });

  it('accepts exactly four of fifty concurrent deductions of 10 when the account holds 40 credits', async () => {
    const instance = new Instance();
    await instance.daily();
    const answers = await Promise.allSettled(Array.from({ length: 50 }, () => instance.deduct(newDeductionId())));
    expect(succeeded(answers)).toBe(4);
    expect(refusals(answers).every((reason) => reason instanceof InsufficientCreditsError)).toBe(true);
    expect((await instance.open()).balances).toEqual({ daily: 0, bonus: 0, paid: 0, total: 0 });
    expect(countOf(await stream(), 'CreditsDeducted')).toBe(4);
    await expectSoundLedger();
  });

  it('grants daily credits once for concurrent calls, and again the next day', async () => {
    const one = new Instance();
    const other = new Instance();
    const answers = await Promise.all([one.daily(), other.daily(), one.daily(), other.daily()]);
    expect(answers.filter(({ granted }) => granted)).toHaveLength(1);
    expect(answers.every(({ balances }) => balances.total === 40)).toBe(true);
    clock.set(new Date('2026-03-11T00:00:00Z'));
    expect(await one.daily()).toMatchObject({ granted: true, amount: 10, grantDate: '2026-03-11' });
    expect((await stream()).map(({ type }) => type)).toEqual([
      'CreditsGranted',
      'CreditsGranted',
      'CreditsExpired',
      'CreditsGranted',
    ]);
    await expectSoundLedger();
  });

  it('ends a deduction once when its settlement and its refund race on two instances', async () => {
    const one = new Instance();
    const other = new Instance();
    for (let round = 0; round < 10; round += 1) {
      user = `user_${v7()}`;
      const id = newDeductionId();
      await one.deduct(id);
      const answers = await Promise.allSettled([one.settle(id), other.refund(id), other.settle(id), one.refund(id)]);
      const { state, balances } = await one.statusOf(id);
      expect(['settled', 'refunded']).toContain(state);
      expect(balances.total).toBe(state === 'settled' ? 20 : 30);
      expect(succeeded(answers)).toBe(2);
      expect(refusals(answers).every((reason) => reason instanceof DeductionRefusedError)).toBe(true);
      const events = await stream();
      expect(countOf(events, 'DeductionSettled') + countOf(events, 'CreditsRefunded')).toBe(1);
      await expectSoundLedger();
    }
  });

  it('keeps an account sound while two instances send every command twice', async () => {
    const instances = [new Instance(), new Instance()] as const;
    const deductions = Array.from({ length: 30 }, newDeductionId);
    const work = deductions.flatMap((id, index) => {
      const first = instances[index % 2 ? 1 : 0];
      const second = instances[index % 2 ? 0 : 1];
      const end = index % 3 === 0 ? 'settle' : 'refund';
      return [first.deduct(id), second.daily(), second.deduct(id), first[end](id), second[end](id)];
    });
    const answers = await Promise.allSettled(work);
    const known = [InsufficientCreditsError, DeductionRefusedError];
    expect(refusals(answers).filter((reason) => !known.some((refusal) => reason instanceof refusal))).toEqual([]);
    const events = await stream();
    const begun = events.filter(({ type }) => type === 'CreditsDeducted').map(({ data }) => data.deductionId);
    expect(new Set(begun).size).toBe(begun.length);
    await expectSoundLedger();
  });

  it('serves many accounts at the same time', async () => {
    const users = Array.from({ length: 40 }, () => `user_${v7()}`);
    const instance = new Instance();
    await Promise.all(
      users.map((each) => {
        user = each;
        return instance.deduct(newDeductionId());
      }),
    );
    for (user of users) expect((await instance.open()).balances.total).toBe(20);
  });

  it('makes a bonus grant once, with the admin as actor, and refuses its id with another amount', async () => {
    const one = new Instance();
    const other = new Instance();
    await Promise.all([one.gift(5), other.gift(5), one.gift(5)]);
    await expect(other.gift(6)).rejects.toBeInstanceOf(GrantRefusedError);
    expect((await one.open()).balances).toEqual({ daily: 0, bonus: 35, paid: 0, total: 35 });
    expect((await stream()).map(({ metadata }) => metadata.actorId)).toEqual(['admin_1', user]);
  });

  it('records a purchase once when several instances deliver it at the same time', async () => {
    const command = new PurchaseCredits({
      userId: user,
      ...paidSession({ sessionId: 'cs_1', paymentIntentId: 'pi_1' }),
    });
    const handlers = [new Instance(), new Instance()].map(({ accounts }) => new PurchaseCreditsHandler(accounts));
    const answers = await Promise.all(
      handlers.flatMap((handler) => Array.from({ length: 20 }, () => handler.execute(command))),
    );
    expect(answers.filter(({ recorded }) => recorded)).toHaveLength(1);
    expect((await stream()).map(({ type }) => type)).toEqual(['CreditsPurchased']);
    expect((await new Instance().open()).balances.paid).toBe(100);
  });

  it('refunds exactly once and reports the repeat to the second caller', async () => {
    const instance = new Instance();
    await instance.daily();
    const id = newDeductionId();
    expect(await instance.deduct(id, 15)).toMatchObject({ creditTypeUsed: 'mixed', balances: { daily: 0, bonus: 25 } });
    const refund = { amount: 15, originalCreditType: 'mixed', balances: { daily: 10, bonus: 30, paid: 0, total: 40 } };
    expect(await instance.refund(id)).toMatchObject({ ...refund, alreadyRefunded: false });
    expect(await instance.refund(id)).toMatchObject({ ...refund, alreadyRefunded: true });
    await expect(instance.deduct(id, 15)).rejects.toBeInstanceOf(DeductionRefusedError);
  });

  it('refuses a deduction whose refund came first', async () => {
    const instance = new Instance();
    const id = newDeductionId();
    expect(await instance.refund(id)).toMatchObject({ amount: 0, originalCreditType: null, alreadyRefunded: false });
    await expect(instance.deduct(id)).rejects.toBeInstanceOf(DeductionRefusedError);
    expect(await instance.statusOf(id)).toMatchObject({ state: 'voided', amount: 0, creditTypeUsed: null });
  });

  it('reports the state of a deduction, also long after the account has forgotten it', async () => {
    const instance = new Instance();
    const id = newDeductionId();
    expect(await instance.statusOf(id)).toMatchObject({ state: 'none', amount: 0 });
    await instance.deduct(id);
    expect(await instance.statusOf(id)).toMatchObject({ state: 'open', amount: 10, creditTypeUsed: 'bonus' });
    await instance.settle(id);
    clock.advance(60 * 86_400_000);
    await instance.daily();
    expect(await instance.statusOf(id)).toMatchObject({ state: 'settled', amount: 10, creditTypeUsed: 'bonus' });
    await expect(instance.settle(id)).rejects.toThrow('is closed');
  });

  it('reads a history longer than a page', async () => {
    const instance = new Instance();
    await instance.open();
    const voided = Array.from({ length: 1005 }, newDeductionId).map((deductionId): CreditEvent => ({
      type: 'DeductionVoided',
      data: { schemaVersion: 1, deductionId, reason: 'timeout' },
    }));
    await instance.accounts.execute(user, { actorId: 'system' }, () => voided);
    const last = newDeductionId();
    expect(await instance.deduct(last)).toMatchObject({ balances: { total: 20 } });
    expect((await instance.accounts.load(user)).version).toBe(1006);
    expect(await instance.statusOf(last)).toMatchObject({ state: 'open', balances: { total: 20 } });
    await expectSoundLedger();
  });
});
