import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accountCommands, accountHistory, type AccountCommand } from '../../../test/support/account-histories.js';
import { loadVerifier, type VerifiedBalance, type VerifiedLine } from '../../../test/support/verifier.js';
import { entriesOf } from '../../../test/support/book-entries.js';
import { type BooksRule, CHART, chartOf } from '../../finance/chart-of-accounts.js';
import {
  cancelPayout,
  checkPayout,
  draftPayout,
  failPayout,
  fixPayout,
  PayoutRefusedError,
  payPayout,
} from '../../finance/payouts/decide.js';
import { type PayoutEvent } from '../../finance/payouts/events.js';
import { payoutLines, stepAfter, type PayoutStep } from '../../finance/payouts/payout-entries.js';
import { evolve, NO_PAYOUTS, type PayoutState } from '../../finance/payouts/state.js';
import { creatorBalances, moneyOfBalances, postedBalance } from '../../finance/reads/creator-balances.js';
import { type Balance } from '../../finance/reads/balances.js';

const START = Date.parse('2026-03-10T09:00:00Z');
const DAY_MS = 86_400_000;
const CREATORS = ['ada', 'bob'] as const;
/** Nothing was read from the processor. */
const BANK = 'Bank (payouts only)';

/** A line of the product's books. */
interface Line {
  readonly account: number;
  readonly cents: number;
  readonly credits: number;
  readonly at: number;
  readonly creatorId: string | null;
  readonly payableAt: number | null;
}

/** Cents or credits of some lines by account, without zeros. */
function sumsOf(
  lines: Iterable<Pick<VerifiedLine, 'account' | 'cents' | 'credits'>>,
  unit: 'cents' | 'credits' = 'cents',
): Record<number, number> {
  const sums: Record<number, number> = {};
  for (const line of lines) sums[line.account] = (sums[line.account] ?? 0) + (line[unit] ?? 0);
  return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0));
}

/** Cents that creators earn by creator and the time from which they are payable, without zeros. */
function sharesOf(
  lines: Iterable<Pick<Line, 'account' | 'cents'> & { readonly [key in 'creatorId' | 'payableAt']?: unknown }>,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { account, cents, creatorId, payableAt } of lines) {
    const key = `${String(creatorId)} ${String(payableAt)}`;
    if (account === 2100) sums[key] = (sums[key] ?? 0) - cents;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0));
}

/** The trial balance that the product makes of its lines, by a rule. */
function trialBalanceOf(lines: readonly Line[], at: number, rule: BooksRule = 2): VerifiedBalance[] {
  const cents = sumsOf(lines.filter((line) => line.at <= at));
  let debt = 0;
  let payable = 0;
  for (const creator of CREATORS) {
    const own = lines.filter(({ creatorId }) => creatorId === creator);
    const sum = (account: number, by: 'at' | 'payableAt'): number =>
      own.reduce(
        (total, line) => total + (line.account === account && (line[by] ?? Infinity) <= at ? line.cents : 0),
        0,
      );
    const share = -sum(2100, 'payableAt');
    const taken = sum(2120, 'at');
    debt += Math.max(0, taken - share);
    payable += taken - share;
  }
  const sums = { ...cents, 2120: payable };
  const balances = new Map(
    Object.entries(sums).map(([account, sum]) => [Number(account), { cents: sum, credits: 0 } as Balance]),
  );
  const shares: ReadonlyMap<number, number> = creatorBalances(moneyOfBalances(balances as never, debt));
  return chartOf(rule).map(({ account, name, source }) => {
    const part = rule === 1 ? shares.get(account) : undefined;
    const known = (part ?? postedBalance(account, balances as never, rule)) + 0;
    if (source === 'bank') return rule === 1 ? { account, name, cents: null } : { account, name: BANK, cents: known };
    return { account, name, cents: source === 'processor' ? null : known };
  });
}

/** A step of the payouts of a creator. */
interface Step {
  readonly kind: 'run' | 'fix' | 'check' | 'pay' | 'fail' | 'cancel';
  readonly creator: (typeof CREATORS)[number];
  readonly days: number;
}
const payoutSteps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom(...(['run', 'run', 'fix', 'fix', 'check', 'check', 'pay', 'pay', 'fail', 'cancel'] as const)),
    creator: fc.constantFrom(...CREATORS),
    days: fc.integer({ min: 0, max: 20 }),
  }),
  { maxLength: 60, size: 'max' },
);

/** Events that the rules of payouts write, and the product's lines of them. */
function payoutHistory(
  steps: readonly Step[],
  payableOf: (creator: string, at: number) => number,
): { readonly events: (PayoutEvent & { creator: string; version: number; at: number })[]; readonly lines: Line[] } {
  const states = new Map<string, PayoutState>();
  const places = new Map<string, PayoutStep>();
  const events: (PayoutEvent & { creator: string; version: number; at: number })[] = [];
  const lines: Line[] = [];
  let at = START + 30 * DAY_MS;
  for (const { kind, creator, days } of steps) {
    at += days * DAY_MS + 1;
    const state = states.get(creator) ?? NO_PAYOUTS;
    for (const event of decidedBy(state, { kind, at, payable: payableOf(creator, at) })) {
      const version = events.filter((each) => each.creator === creator).length;
      events.push({ ...event, creator, version, at });
      states.set(creator, evolve(states.get(creator) ?? NO_PAYOUTS, event, at));
      if (event.type === 'PayoutsHeld') continue;
      const { payoutId } = event.data;
      const to = stepAfter(event.type);
      const amount = 'amountCents' in event.data ? event.data.amountCents : 0;
      for (const line of payoutLines(places.get(`${creator} ${payoutId}`) ?? 'drafted', to, amount))
        lines.push({ ...line, credits: 0, at, creatorId: creator, payableAt: null });
      places.set(`${creator} ${payoutId}`, to);
    }
  }
  return { events, lines };
}

function decidedBy(
  state: PayoutState,
  { kind, at, payable }: { readonly kind: Step['kind']; readonly at: number; readonly payable: number },
): readonly PayoutEvent[] {
  const now = new Date(at);
  const [last] = [...state.ended].at(-1) ?? [];
  const payoutId = state.open?.payoutId ?? last ?? 'none';
  const amountCents = state.open?.amountCents ?? state.ended.get(payoutId)?.amountCents ?? 0;
  try {
    switch (kind) {
      case 'run': {
        const details = { changedAt: now, usableFrom: null };
        const run = { payoutId: `p${at}`, runId: `r${at}`, cutoff: now, minimumCents: 1, draftedBy: null, details };
        return draftPayout(state, { ...run, payableCents: payable }, now).events;
      }
      case 'fix':
        return fixPayout(state, payoutId, payable);
      case 'check':
        return checkPayout(state, payoutId, 'admin_1');
      case 'pay':
        return payPayout(state, { payoutId, amountCents, reference: 'r', paidOn: '2026-11-03', recordedBy: 'admin_1' });
      case 'fail':
        return failPayout(state, payoutId, 'AC04');
      case 'cancel':
        return cancelPayout(state, payoutId, 'A mistake.');
    }
  } catch (error) {
    if (error instanceof PayoutRefusedError) return [];
    throw error;
  }
}

const rules = fc.option(
  fc.integer({ min: 0, max: 240 }).map((days) => START + days * DAY_MS),
  { nil: null },
);

/** The lines that the product makes of the history of an account. */
function linesOf(
  userId: string,
  events: ReturnType<typeof accountHistory>,
  from: number | null,
): (Line & { version: number })[] {
  const entries = entriesOf(userId, events, { cumulativeFrom: from === null ? null : new Date(from) });
  return Array.from(entries, ({ account, cents, credits, version, occurred_at, creator_id, payable_at }) => ({
    account,
    cents,
    credits,
    version,
    at: occurred_at.getTime(),
    creatorId: creator_id,
    payableAt: payable_at?.getTime() ?? null,
  }));
}

describe('the trial balance of the independent verifier', () => {
  const compareEach = async (history: ReturnType<typeof accountHistory>, from: number | null): Promise<void> => {
    const { Account } = await loadVerifier();
    const account = new Account('creditAccount-fan', () => undefined, from);
    const lines = linesOf('fan', history, from);
    for (const event of history) {
      const found = await account.add(event);
      expect(account.readable).toBe(true);
      const due = lines.filter(({ version }) => version === event.version);
      expect(sumsOf(found)).toEqual(sumsOf(due));
      expect(sharesOf(found)).toEqual(sharesOf(due));
      const owed = due.filter(({ account: number }) => number === 2000 || number === 2050);
      expect(sumsOf(found, 'credits')).toEqual(sumsOf(owed, 'credits'));
      expect(found.reduce((sum, { cents }) => sum + cents, 0) + 0).toBe(0);
    }
  };

  it('equals the books of the product in each account after each event of any history', async () => {
    await fc.assert(
      fc.asyncProperty(accountCommands, rules, (commands, from) => compareEach(accountHistory(commands), from)),
      { numRuns: 200 },
    );
  });

  it('equals them for a price whose products are no safe integers', async () => {
    const commands: AccountCommand[] = [
      { kind: 'buy', index: 0, amount: 1 },
      { kind: 'draw', index: 1, amount: 5_000_010 },
      { kind: 'deliver', index: 0, amount: 1 },
      { kind: 'draw', index: 1, amount: 5_000_011 },
      { kind: 'deliver', index: 0, amount: 1 },
      { kind: 'reverse', index: 0, amount: 1_000_001 },
    ];
    // As a double, the product of both is one less.
    const prices = { bundles: [{ credits: 10_000_021, amountCents: 999_999_937 }], reversedCents: 101 };
    const history = accountHistory(commands, undefined, prices);
    expect(history.map(({ type }) => type)).toEqual([
      'CreditsPurchased',
      'CreditsDeducted',
      'DeductionSettled',
      'CreditsDeducted',
      'DeductionSettled',
      'PurchaseReversed',
    ]);
    await compareEach(history, 0);
  });

  /** Compares the trial balances of both. @returns that of the product */
  async function compare(
    fans: readonly (readonly AccountCommand[])[],
    {
      steps,
      from,
      at,
      rule,
    }: { readonly steps: readonly Step[]; readonly from: number | null; readonly at: number; readonly rule: BooksRule },
  ): Promise<ReadonlyMap<number, number>> {
    const { Account, Books, Payouts } = await loadVerifier();
    const books = new Books(at, rule);
    const lines: Line[] = [];
    for (const [fan, commands] of fans.entries()) {
      const account = new Account(`creditAccount-${fan}`, () => undefined, from);
      const history = accountHistory(commands);
      lines.push(...linesOf(`${fan}`, history, from));
      for (const event of history) books.add(await account.add(event), account.at);
    }
    const payableOf = (creator: string, time: number): number =>
      lines.reduce((sum, { account, creatorId, payableAt, cents }) => {
        const isPayable = account === 2100 && creatorId === creator && (payableAt ?? Infinity) <= time;
        return sum - (isPayable ? cents : 0);
      }, 0);
    const payouts = payoutHistory(steps, payableOf);
    const problems: string[] = [];
    for (const creator of CREATORS) {
      const stream = new Payouts(`creatorPayout-${creator}`, (problem) => problems.push(problem));
      for (const { type, data, version, at: time } of payouts.events.filter((each) => each.creator === creator)) {
        const metadata = { occurredAt: new Date(time).toISOString(), eventId: `${version}` };
        books.add(await stream.add({ id: `${version}`, type, data, version, metadata }), stream.at);
      }
    }
    // The events have no hashes here.
    expect(problems.filter((problem) => !problem.includes('The hash is not'))).toEqual([]);
    const due = trialBalanceOf([...lines, ...payouts.lines], at, rule);
    expect(books.trialBalance()).toEqual(due);
    expect(due.reduce((sum, { cents }) => sum + (cents ?? 0), 0)).toBe(0);
    return new Map(due.map(({ account, cents }) => [account, cents ?? 0]));
  }

  it.each<[BooksRule, readonly number[]]>([
    [1, [2110, 2120, 2130, 2140]],
    [2, [1100, 2100, 2130]],
  ])('equals that of the product at any instant, with payouts by rule %i', async (rule, ofCreators) => {
    const seen = new Set<number>();
    const instant = fc.integer({ min: 0, max: 900 }).map((days) => START + days * DAY_MS);
    const accounts = fc.array(accountCommands, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(accounts, payoutSteps, rules, instant, async (fans, steps, from, at) => {
        for (const [account, cents] of await compare(fans, { steps, from, at, rule }))
          if (cents !== 0) seen.add(account);
      }),
      { numRuns: 100, seed: 20261124 },
    );
    const always = [1010, 1020, 1030, 2000, ...ofCreators, 4000, 4100, 4200, 5100, 5200];
    expect(always.filter((account) => !seen.has(account))).toEqual([]);
  });

  it('contains the debt of a creator whose earnings are taken back after the payout', async () => {
    const commands: AccountCommand[] = [
      { kind: 'buy', index: 0, amount: 1 },
      { kind: 'draw', index: 2, amount: 60 },
      { kind: 'deliver', index: 0, amount: 1 },
      { kind: 'wait', index: 0, amount: 40 },
      { kind: 'reverse', index: 1, amount: 60 },
    ];
    const steps = (['run', 'fix', 'check', 'pay'] as const).map((kind) => ({ kind, creator: 'ada' as const, days: 1 }));
    const balances = async (days: number, rule: BooksRule): Promise<ReadonlyMap<number, number>> =>
      compare([commands], { steps, from: START - DAY_MS, at: START + days * DAY_MS, rule });
    const before = await balances(39, 1);
    const after = await balances(50, 1);
    // 60 of 100 credits for 1,099 cents earn 329; the chargeback takes 30 of them back.
    expect([before.get(1200), before.get(2140)]).toEqual([0, -329]);
    expect([after.get(1200), after.get(2140), after.get(2120)]).toEqual([165, -329, 0]);
    const paid = await balances(39, 2);
    const owing = await balances(50, 2);
    expect([paid.get(2100), paid.get(1100)]).toEqual([0, -329]);
    expect([owing.get(2100), owing.get(1100)]).toEqual([165, -329]);
  });

  it('names the accounts of the chart, and does not invent what only the processor knows', async () => {
    const { Books } = await loadVerifier();
    for (const rule of [1, 2] as const) {
      const found = new Books(START, rule).trialBalance();
      const unknown = CHART.filter(({ source }) => source === 'processor' || (source === 'bank' && rule === 1));
      expect(found.filter(({ cents }) => cents === null).map(({ account }) => account)).toEqual(
        unknown.map(({ account }) => account),
      );
      expect(found).toEqual(trialBalanceOf([], START, rule));
    }
  });

  it('ignores the amounts of a stream that the verifier does not know, and its chain is checked', async () => {
    const { Stream } = await loadVerifier();
    const problems: string[] = [];
    const stream = new Stream('processor-2026', (problem) => problems.push(problem));
    const metadata = { eventId: 'a', occurredAt: '2026-03-10T09:00:00.000Z', hash: 'forged' };
    const event = { version: 0, id: 'a', type: 'FeeWithheld', data: { schemaVersion: 9, amountCents: 30 }, metadata };
    expect(await stream.add(event)).toEqual([]);
    expect(problems).toEqual(['processor-2026 @ 0: The hash is not that of the event and the one before it.']);
  });
});
