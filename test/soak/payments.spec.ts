import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PaymentsApp } from '../support/payments-app.js';
import { buyInChaos } from '../support/payments-chaos.js';

jest.setTimeout(3_600_000);

const PURCHASES = 1_000;

let app: PaymentsApp;

beforeAll(async () => {
  app = await PaymentsApp.start({ webhooks: true, stripe: { timeoutMs: 2_000 } });
});
afterAll(() => app.close());

describe('a thousand purchases under random faults', () => {
  it('keeps the ledger equal to the processor, to the cent', async () => {
    const seed = Math.floor(Math.random() * 1_000_000);
    const { sessions, summary, differences, wrongBalances } = await buyInChaos(app, PURCHASES, seed);
    expect({ seed, differences, wrongBalances }).toEqual({ seed, differences: [], wrongBalances: [] });
    expect(summary.paidCents).toBe(summary.purchasedCents);
    expect(summary.returnedCents).toBe(summary.reversedCents);
    expect(sessions).toBeGreaterThan(PURCHASES / 2);
  });
});
