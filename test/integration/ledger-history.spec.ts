import { balanceAt, statementOf, type LedgerProblem, type StatementPart } from '../../src/audit/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { v7 } from 'uuid';
import { type Decide } from '../../src/credits/ledger/pending-command.js';
import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { purchaseCredits, reversePurchase } from '../../src/credits/account/decide-purchases.js';
import { deductCredits } from '../../src/credits/account/decide.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { asOwner } from '../support/database.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { paidSession } from '../support/paid-session.js';

jest.setTimeout(60_000);

let ledger: LedgerApp;
let problems: LedgerProblem[];

beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  problems = [];
  await ledger.clear();
});

const note = (problem: LedgerProblem): void => void problems.push(problem);
const at = (instant: string) => balanceAt(ledger.eventStore, 'fan', new Date(instant), note);
const statement = async (from: string, to: string): Promise<StatementPart[]> => {
  const parts: StatementPart[] = [];
  const period = { from: new Date(from), to: new Date(to) };
  for await (const part of statementOf(ledger.eventStore, 'fan', period, note)) parts.push(part);
  return parts;
};

describe('balanceAt', () => {
  it('counts the events up to the instant, without lapsed credits', async () => {
    await ledger.daily('fan'); // 10 March, 09:00: 30 bonus, 10 daily
    ledger.clock.advance(3_600_000);
    await ledger.generation('fan', 'delivered', 4);
    expect((await at('2026-03-10T08:59:59.999Z')).balance.total).toBe(0);
    expect((await at('2026-03-10T09:00:00Z')).balance).toEqual({ daily: 10, bonus: 30, paid: 0, total: 40 });
    expect((await at('2026-03-10T10:00:00Z')).balance).toEqual({ daily: 6, bonus: 30, paid: 0, total: 36 });
    // No event was written at midnight.
    expect((await at('2026-03-11T00:00:00Z')).balance).toEqual({ daily: 0, bonus: 30, paid: 0, total: 30 });
    expect(problems).toEqual([]);
  });

  it('returns open deductions, and zeros for a user without an account', async () => {
    await ledger.generation('fan', 'open', 7);
    expect(await at('2027-01-01')).toMatchObject({ open: 7, balance: { total: 23 }, version: 1 });
    const nobody = await balanceAt(ledger.eventStore, 'nobody', new Date(), note);
    expect(nobody).toMatchObject({ version: -1, head: null, balance: { total: 0 } });
  });

  it('returns the debt of a reversed and spent purchase until a later purchase pays it', async () => {
    await ledger.purchase('fan', 'cs_1', 50);
    await ledger.generation('fan', 'delivered', 70);
    expect(await at('2027-01-01')).toMatchObject({ owed: 0, balance: { total: 10 } });
    await ledger.reverse('fan', 'cs_1', 50);
    expect(await at('2027-01-01')).toMatchObject({ owed: 40, balance: { total: 0 } });
    await ledger.purchase('fan', 'cs_2', 100);
    expect(await at('2027-01-01')).toMatchObject({ owed: 0, balance: { paid: 60, total: 60 } });
    expect(problems).toEqual([]);
  });

  it('reports problems of the stream', async () => {
    await ledger.gift('fan', 5);
    await ledger.gift('fan', 6);
    await asOwner(ledger.database).query(`update event set data = jsonb_set(data, '{amount}', '50') where version = 0`);
    await at('2027-01-01');
    expect(problems).toEqual([expect.objectContaining({ stream: 'creditAccount-fan', version: 0, kind: 'chain' })]);
  });
});

describe('statementOf', () => {
  it('shows a lapse at the instant at which the credits expire', async () => {
    await ledger.daily('fan');
    ledger.clock.advance(2 * 86_400_000); // 12 March, 09:00: the lapse of the 10th is written now
    await ledger.daily('fan');
    const parts = await statement('2026-03-10T12:00:00Z', '2026-03-13');
    const granted = (await ledger.eventStore.readStream('creditAccount-fan'))[3];
    expect(parts).toEqual([
      { part: 'opening', at: '2026-03-10T12:00:00.000Z', balance: { daily: 10, bonus: 30, paid: 0, total: 40 } },
      {
        part: 'line',
        at: '2026-03-11T00:00:00.000Z',
        what: 'lapsed',
        reference: 'daily:2026-03-10',
        amount: -10,
        balance: 30,
        version: null,
        hash: null,
        recordedAt: null,
      },
      {
        part: 'line',
        at: '2026-03-12T09:00:00.000Z',
        what: 'CreditsGranted',
        reference: 'daily:2026-03-12',
        amount: 10,
        balance: 40,
        version: 3,
        hash: granted?.metadata.hash,
        recordedAt: granted?.recordedAt,
      },
      { part: 'closing', at: '2026-03-13T00:00:00.000Z', balance: { daily: 10, bonus: 30, paid: 0, total: 40 } },
    ]);
  });

  it('adds up from the opening to the closing balance for any period, and agrees with balanceAt', async () => {
    await ledger.eventfulAccount('fan');
    const instants = [
      '2026-03-09',
      '2026-03-10T09:00:00Z',
      '2026-03-11',
      '2026-03-11T00:00:01Z',
      '2026-03-12T09:00:00Z',
    ];
    const ends = [...instants, '2026-03-14', '2026-04-01'];
    for (const from of instants) {
      for (const to of ends.filter((each) => new Date(each) > new Date(from))) {
        const [opening, ...rest] = await statement(from, to);
        const closing = rest.pop();
        if (opening?.part !== 'opening' || closing?.part !== 'closing') throw new Error('Parts are missing.');
        let balance = opening.balance.total;
        for (const line of rest) {
          if (line.part !== 'line') throw new Error('Only lines are expected in between.');
          balance += line.amount;
          expect(line.balance).toBe(balance);
        }
        expect(closing.balance.total).toBe(balance);
        const before = (instant: string): Promise<number> =>
          at(new Date(new Date(instant).getTime() - 1).toISOString()).then((found) => found.balance.total);
        expect(opening.balance.total).toBe(await before(from));
        expect(closing.balance.total).toBe(await before(to));
      }
    }
    expect(problems).toEqual([]);
  });

  it('returns no lines for a user without an account', async () => {
    expect((await statement('2026-03-10', '2026-03-11')).map(({ part }) => part)).toEqual(['opening', 'closing']);
  });
});

describe('balanceAt and statementOf after a lost tail', () => {
  it('reports arrived credits that did not pay the debt', async () => {
    const accounts = new AccountStore(ledger.eventStore, ledger.clock, new UuidGenerator());
    const execute = (decide: Decide) => accounts.execute('fan', { actorId: 'system' }, decide);
    const buy =
      (sessionId: string): Decide =>
      (state, now) =>
        purchaseCredits(paidSession({ sessionId }), state, now);
    const image = {
      deductionId: v7({ msecs: ledger.clock.now().getTime() }),
      amount: 50,
      creatorId: 'creator_1',
      ownGeneration: false,
    };
    const refund = { sessionId: 'cs_1', reversalId: 're_1', cause: 'refund', amountCents: 1000 } as const;
    await execute(buy('cs_1'));
    await execute((state, now) => deductCredits(image, state, now, 'due'));
    await execute((state, now) => reversePurchase(refund, state, now));
    await execute(buy('cs_2'));
    await at('2027-01-01');
    expect(problems).toEqual([]);
    const { rowCount } = await asOwner(ledger.database).query(`delete from event where type = 'DebtRepaid'`);
    expect(rowCount).toBe(1);
    const unpaid = expect.objectContaining({ kind: 'purchase', what: expect.stringContaining('repaid no debt') });
    await at('2027-01-01');
    expect(problems).toEqual([unpaid]);
    problems = [];
    await statement('2026-01-01', '2027-01-01');
    expect(problems).toEqual([unpaid]);
  });
});
