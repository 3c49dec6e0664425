import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Kysely } from 'kysely';
import { checkPayout, draftPayout, fixPayout, payPayout } from '../../src/finance/payouts/decide.js';
import { PayoutStore } from '../../src/finance/payouts/payout-store.js';
import { balancesAt } from '../../src/finance/reads/balances.js';
import { sumsOfCreators, theseCreators } from '../../src/finance/reads/creator-sums.js';
import { type FinanceTables } from '../../src/finance/tables.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { adoptPolicy } from '../support/policy.js';

jest.setTimeout(60_000);

const DAY = 86_400_000;
const CREATOR = { creatorId: '5f6a1c9e-0d5b-4a53-9d0e-7d3f5f0a9b10', ownGeneration: false };

let ledger: LedgerApp;
let db: Kysely<FinanceTables>;
let payouts: PayoutStore;
let made = 0;

beforeAll(async () => {
  ledger = await startLedger();
  db = ledger.database.db as unknown as Kysely<FinanceTables>;
  payouts = new PayoutStore(ledger.eventStore, ledger.clock, new UuidGenerator());
});
afterAll(() => ledger?.close());
beforeEach(async () => {
  await ledger.clear();
  await adoptPolicy(ledger.eventStore, ledger.clock);
});

const midnight = (): Date => new Date(Math.floor(ledger.clock.now().getTime() / DAY) * DAY);

/** The payable share of the creator at a midnight, by default the last one, as a run reads it. */
async function payable(cutoff = midnight()): Promise<number> {
  await ledger.project();
  const { rows } = await sumsOfCreators(theseCreators([CREATOR.creatorId]), cutoff).execute(db);
  return rows[0]?.dueShare ?? 0;
}

/** Drafts, fixes, checks and records a payout of all that is payable. @returns its amount; null without one */
async function payout(cutoff = midnight()): Promise<number | null> {
  const payoutId = `payout-${(made += 1)}`;
  const payableCents = await payable(cutoff);
  const by = (actorId: string) => ({ actorId, causationId: `${payoutId}-${actorId}`, correlationId: payoutId });
  const details = { changedAt: new Date(0), usableFrom: null };
  const draft = { payoutId, runId: `run-${made}`, cutoff, payableCents, minimumCents: 100, draftedBy: 'fay', details };
  const { creatorId } = CREATOR;
  const { events } = await payouts.execute(creatorId, by('fay'), (state, now) => draftPayout(state, draft, now).events);
  if (events.length === 0) return null;
  await payouts.execute(creatorId, by('fay'), (state) => fixPayout(state, payoutId, payableCents));
  await payouts.execute(creatorId, by('ada'), (state) => checkPayout(state, payoutId, 'ada'));
  const amountCents = (await payouts.load(creatorId)).state.open?.amountCents ?? 0;
  const transfer = { payoutId, amountCents, reference: payoutId, paidOn: '2026-03-01', recordedBy: 'ada' };
  await payouts.execute(creatorId, by('ada'), (state) => payPayout(state, transfer));
  await ledger.project();
  return amountCents;
}

/** The creator's debt in the books now. */
async function debt(): Promise<number> {
  await ledger.project();
  return (await balancesAt(db, ledger.clock.now(), [1200])).debtCents;
}

/** A new fan buys 100 credits at ten cents, and spends them with 30 free ones on a picture of the creator. */
async function sale(): Promise<{ readonly user: string; readonly session: string }> {
  const user = `fan_${(made += 1)}`;
  const session = `cs_${made}`;
  await ledger.purchase(user, session, 100);
  await ledger.creditedCheckout(user, session, 100);
  await ledger.generation(user, 'delivered', 130, CREATOR);
  return { user, session };
}

describe('payouts of what fans have really paid', () => {
  it('takes a refund after the payout from later earnings, as a debt until then', async () => {
    const { user, session } = await sale();
    ledger.clock.advance(32 * DAY);
    expect(await payout()).toBe(500);

    await ledger.reverse(user, session, 100);
    expect(await debt()).toBe(500);
    ledger.clock.advance(DAY);
    expect(await payout()).toBeNull();

    await sale();
    await sale();
    ledger.clock.advance(32 * DAY);
    // Two new shares of $5. One pays the debt.
    expect(await debt()).toBe(0);
    expect(await payout()).toBe(500);
    expect((await ledger.verify()).filter(({ kind }) => kind === 'payout' || kind === 'chain')).toEqual([]);
  });

  it('counts no earning twice, and pays nothing before it is payable', async () => {
    await sale();
    ledger.clock.advance(20 * DAY);
    expect(await payout()).toBeNull();
    await sale();
    ledger.clock.advance(12 * DAY);
    expect(await payout()).toBe(500);
    expect(await payout()).toBeNull();
    ledger.clock.advance(32 * DAY);
    expect(await payout()).toBe(500);
    expect((await payouts.load(CREATOR.creatorId)).state.paidCents).toBe(1_000);
  });

  it('changes no day before a correction, so that a past month keeps its figures', async () => {
    const { user, session } = await sale();
    ledger.clock.advance(32 * DAY);
    await payout();
    const then = midnight();
    const accounts = [1200, 2100, 2120, 2130, 2140] as const;
    const balances = async () => (await balancesAt(db, then, accounts)).balances;
    const before = await balances();
    ledger.clock.advance(5 * DAY);
    await ledger.reverse(user, session, 100);
    ledger.clock.advance(DAY);
    expect(await payable()).toBe(0);
    expect(await balances()).toEqual(before);
  });

  it('posts a payout with a cutoff in a past month to the present, so that the past month keeps its figures', async () => {
    await sale();
    ledger.clock.advance(32 * DAY);
    const cutoff = midnight();
    ledger.clock.advance(40 * DAY);
    await ledger.project();
    const accounts = [2100, 2120, 2130, 2140] as const;
    const before = (await balancesAt(db, cutoff, accounts)).balances;
    expect(await payout(cutoff)).toBe(500);
    expect((await balancesAt(db, cutoff, accounts)).balances).toEqual(before);
    const now = (await balancesAt(db, ledger.clock.now(), accounts)).balances;
    expect([now.get(2120)?.cents, now.get(2140)?.cents]).toEqual([0, -500]);
  });
});
