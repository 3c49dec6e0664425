import { describe, expect, it } from '@jest/globals';
import { FROM_THE_BEGINNING, POLICY_STREAM } from '../../credits/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { eventHash } from '../../platform/event-store/hash-chain.js';
import { type JsonObject } from '../../platform/json.js';
import { type ApprovedGrants, PolicyCheck } from './policy-check.js';
import { type LedgerProblem } from './stream-audit.js';

interface Happened {
  readonly type: string;
  readonly data: object;
  readonly at: string;
  readonly actorId?: string;
}

const DAY_1 = '2026-03-10T09:00:00.000Z';
const DAY_2 = '2026-03-11T09:00:00.000Z';

/** The events of one stream, as a forger with the right hashes stores them. */
function stored(stream: string, events: readonly Happened[]): StoredEvent[] {
  let hash: string | null = null;
  return events.map(({ type, data: given, at, actorId = 'system' }, version) => {
    const id = `019cd6b8-1c00-7000-8000-${String(version).padStart(12, '0')}`;
    const data = { schemaVersion: 1, ...given } as JsonObject;
    const metadata: JsonObject = { actorId, eventId: id, occurredAt: at };
    hash = eventHash(hash, { stream, version, id, type, data, metadata });
    return { stream, version, id, type, data, metadata: { ...metadata, hash }, position: '', recordedAt: new Date(at) };
  });
}

/** No grant has an approval. */
const NONE_APPROVED: ApprovedGrants = () => Promise.resolve(new Set());

/** The problems of a policy and of one account. */
async function problemsOf(
  policy: readonly Happened[],
  account: readonly Happened[],
  approved: ApprovedGrants | null = NONE_APPROVED,
): Promise<LedgerProblem[]> {
  const problems: LedgerProblem[] = [];
  const check = new PolicyCheck((problem) => problems.push(problem), approved);
  for (const event of stored('creditAccount-fan', account)) check.add(event);
  for (const event of stored(POLICY_STREAM, policy)) check.audit.add(event);
  await check.end();
  return problems;
}

const policy = (type: string, data: object, at = DAY_1, effectiveFrom = FROM_THE_BEGINNING): Happened => ({
  type,
  data: { ...data, effectiveFrom },
  at,
});
const RULE = policy('RevenueRuleAdopted', { rule: 'cumulative-with-clawback' });
const AMOUNT = policy('DailyGrantAmountSet', { amount: 10 });
const LIMIT = policy('AdminGrantLimitSet', { amount: 1000 });
const BASIC = { bundleId: 'basic', credits: 100, priceCents: 1000, onSale: true };
const PRICE = policy('BundlePriced', BASIC);
const POLICY = [RULE, AMOUNT, LIMIT, PRICE];

const daily = (amount: number, at = DAY_1): Happened => ({
  type: 'CreditsGranted',
  data: { lotId: `daily:${at.slice(0, 10)}`, kind: 'daily', source: 'daily', amount, expiresAt: null, reason: null },
  at,
});
const gift = (amount: number, at = DAY_1, actorId = 'admin_1'): Happened => ({
  type: 'CreditsGranted',
  data: { lotId: `grant:${amount}`, kind: 'bonus', source: 'admin', amount, expiresAt: null, reason: 'Contest' },
  at,
  actorId,
});
const purchase = (amountCents: number, at = DAY_1, change: object = {}): Happened => ({
  type: 'CreditsPurchased',
  data: {
    lotId: 'cs_1',
    bundleId: 'basic',
    paymentIntentId: null,
    amount: 100,
    amountCents,
    unitPriceCents: 1,
    ...change,
  },
  at,
});
const problem = (version: number, words: string, stream = 'creditAccount-fan'): object => ({
  stream,
  version,
  kind: 'policy',
  what: expect.stringContaining(words),
});

describe('PolicyCheck', () => {
  it('reports nothing about events that follow the policy', async () => {
    expect(await problemsOf(POLICY, [daily(10), gift(600), gift(400), purchase(1000), gift(1000, DAY_2)])).toEqual([]);
  });

  it('compares nothing in a store without a policy', async () => {
    expect(await problemsOf([], [daily(50), gift(5000), purchase(1)])).toEqual([]);
  });

  it('names a daily grant of another amount', async () => {
    expect(await problemsOf(POLICY, [daily(10), daily(11)])).toEqual([
      problem(1, 'The daily grant of 2026-03-10 is 11 credits, but the policy of that day is 10.'),
    ]);
  });

  it('names several wrong grants of a day once, with their number', async () => {
    const sentence = 'The daily grant of 2026-03-10 is 11 credits, but the policy of that day is 10.';
    const whats = async (...grants: Happened[]): Promise<string[]> =>
      (await problemsOf(POLICY, grants)).map((found) => found.what);
    expect(await whats(daily(11))).toEqual([sentence]);
    expect(await whats(daily(11), daily(11), daily(11))).toEqual([
      `${sentence} The same is true for 2 more daily grants of that day.`,
    ]);
  });

  it('accepts each amount that was in force during the day of the grant', async () => {
    const changed = [...POLICY, policy('DailyGrantAmountSet', { amount: 20 }, DAY_2, DAY_2)];
    expect(await problemsOf(changed, [daily(10), daily(10, DAY_2), daily(20, DAY_2)])).toEqual([]);
    expect(await problemsOf(changed, [daily(20), daily(10, '2026-03-12T09:00:00.000Z')])).toEqual([
      problem(0, 'of 2026-03-10 is 20 credits, but the policy of that day is 10.'),
      problem(1, 'of 2026-03-12 is 10 credits, but the policy of that day is 20.'),
    ]);
  });

  it('does not judge grants from before the first amount of an older store', async () => {
    const late = [policy('DailyGrantAmountSet', { amount: 20 }, DAY_2, DAY_2)];
    expect(await problemsOf(late, [daily(10), daily(10, '2026-03-11T08:00:00.000Z')])).toEqual([]);
    expect(await problemsOf(late, [daily(10), daily(10, '2026-03-11T10:00:00.000Z')])).toEqual([
      problem(1, 'of 2026-03-11 is 10 credits, but the policy of that day is 20.'),
    ]);
  });

  it.each([
    ['another price', purchase(999)],
    ['another number of credits', purchase(1000, DAY_1, { amount: 101 })],
    ['an unknown bundle', purchase(1000, DAY_1, { bundleId: 'secret' })],
  ])('names credits that were sold for a price that never existed: %s', async (_name, sale) => {
    expect(await problemsOf(POLICY, [daily(10), sale])).toEqual([problem(1, 'which was never its price')]);
  });

  it('accepts a former price for 30 days, and none that is not on sale', async () => {
    const changed = [
      ...POLICY,
      policy('BundlePriced', { ...BASIC, priceCents: 900, onSale: false }, DAY_1, DAY_1),
      policy('BundlePriced', { ...BASIC, priceCents: 1200 }, DAY_2, DAY_2),
    ];
    expect(await problemsOf(changed, [purchase(1000, DAY_2), purchase(1200, DAY_2)])).toEqual([]);
    expect(await problemsOf(changed, [purchase(1200, DAY_1), purchase(900, DAY_2)])).toHaveLength(2);
    expect(await problemsOf(changed, [purchase(1000, '2026-04-09T09:00:00.000Z')])).toEqual([]);
    expect(await problemsOf(changed, [purchase(1000, '2026-04-11T09:00:00.000Z')])).toHaveLength(1);
  });

  it('does not judge a purchase whose session may be older than the first price', async () => {
    const late = [policy('BundlePriced', BASIC, DAY_1, DAY_1)];
    expect(await problemsOf(late, [purchase(900, '2026-04-09T09:00:00.000Z')])).toEqual([]);
    expect(await problemsOf(late, [purchase(900, '2026-04-11T09:00:00.000Z')])).toHaveLength(1);
  });

  it('names the admin whose grants exceed the limit of a day', async () => {
    const grants = [gift(600), gift(401), gift(1000, DAY_1, 'admin_2'), gift(1000, DAY_2)];
    expect(await problemsOf(POLICY, grants)).toEqual([
      problem(0, 'admin_1 granted 1001 credits on 2026-03-10, but the limit of that day is 1000.'),
    ]);
  });

  it('does not count the grants that a second admin has approved', async () => {
    const large: ApprovedGrants = (grants) => Promise.resolve(new Set(grants.filter(({ amount }) => amount > 1000)));
    expect(await problemsOf(POLICY, [gift(1500), gift(600), gift(400)], large)).toEqual([]);
    expect(await problemsOf(POLICY, [gift(1500), gift(600), gift(401)], large)).toEqual([
      problem(0, 'admin_1 granted 1001 credits on 2026-03-10'),
    ]);
    expect(await problemsOf(POLICY, [gift(1500)])).toHaveLength(1);
  });

  it('passes the grants with their accounts, lots and acts to the search for approvals', async () => {
    const asked: unknown[] = [];
    await problemsOf(POLICY, [gift(1500)], (grants) => {
      asked.push(...grants);
      return NONE_APPROVED(grants);
    });
    const at = Date.parse(DAY_1);
    const expected = { at, amount: 1500, userId: 'fan', lotId: 'grant:1500', actorId: 'admin_1', actId: null };
    expect(asked).toEqual([expected]);
  });

  it('does not judge grants of admins where their acts are not known', async () => {
    expect(await problemsOf(POLICY, [gift(5000)], null)).toEqual([]);
  });

  it('accepts the highest limit of the day', async () => {
    const lowered = [...POLICY, policy('AdminGrantLimitSet', { amount: 0 }, DAY_1, DAY_1)];
    expect(await problemsOf(lowered, [gift(1000)])).toEqual([]);
    expect(await problemsOf(lowered, [gift(1, DAY_2)])).toHaveLength(1);
  });
});

describe('PolicyAudit', () => {
  it('names a policy that is dated back, or claims to be older than the accounts', async () => {
    const back = policy('BundlePriced', { ...BASIC, priceCents: 1 }, DAY_2, DAY_1);
    const sentence = `The event must hold from its own time on, not from ${DAY_1}.`;
    expect(await problemsOf([...POLICY, back], [])).toEqual([problem(4, sentence, POLICY_STREAM)]);
    const first = policy('BundlePriced', { ...BASIC, priceCents: 1 }, DAY_2);
    expect(await problemsOf([...POLICY, first], [daily(10)])).toEqual([
      problem(4, `accounts have events since ${DAY_1}`, POLICY_STREAM),
    ]);
  });

  it.each([DAY_2, '2026-03-10T00:00:00.000Z'])('names a revenue rule that begins at %s', async (effectiveFrom) => {
    const rule = policy('RevenueRuleAdopted', { rule: 'cumulative-with-clawback' }, DAY_1, effectiveFrom);
    expect(await problemsOf([rule], [])).toEqual([problem(0, 'must begin at a later midnight', POLICY_STREAM)]);
  });

  it('names a second revenue rule and an amount that is no number of credits', async () => {
    const wrong = [...POLICY, RULE, policy('DailyGrantAmountSet', { amount: -1 })];
    expect(await problemsOf(wrong, [])).toEqual([
      problem(4, 'a second time', POLICY_STREAM),
      problem(5, 'not a positive number', POLICY_STREAM),
    ]);
  });

  it('names an event that cannot be read, and then compares nothing', async () => {
    const newer = { ...AMOUNT, data: { ...AMOUNT.data, schemaVersion: 2 } };
    expect(await problemsOf([...POLICY, newer], [daily(50)])).toEqual([
      expect.objectContaining({ stream: POLICY_STREAM, version: 4, kind: 'event' }),
    ]);
  });
});
