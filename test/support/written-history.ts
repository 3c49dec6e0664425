import fc from 'fast-check';
import { DAY_MS } from '../../src/contract/durations.js';
import { type LedgerEvent, type RevenueRules } from '../../src/revenue/index.js';

/** When a history begins. */
export const START = Date.parse('2026-03-10T09:00:00Z');
export const OLD_RULES: RevenueRules = { cumulativeFrom: null };
export const NEW_RULES: RevenueRules = { cumulativeFrom: new Date(0) };
/** Old rules, new rules, or new ones from some instant on. */
export const anyRules = fc
  .option(fc.integer({ min: 0, max: 240 }), { nil: null })
  .map((days): RevenueRules => (days === null ? OLD_RULES : { cumulativeFrom: new Date(START + days * DAY_MS) }));

/** A history of one account, an event at a time. The rules of credits do not apply. */
export class WrittenHistory {
  readonly events: LedgerEvent[] = [];
  private at = START;

  constructor(protected readonly rules = NEW_RULES) {}

  later(days: number): this {
    this.at += days * DAY_MS;
    return this;
  }
  buy(lotId: string, amount: number, amountCents: number): this {
    const payment = { bundleId: 'basic', paymentIntentId: null, unitPriceCents: Math.floor(amountCents / amount) };
    return this.add('CreditsPurchased', { lotId, amount, amountCents, ...payment });
  }
  /** Settles an image: credits by lot, all at this price. */
  settle(
    deductionId: string,
    paid: Readonly<Record<string, number>>,
    { free = 0, price = 10, creatorId = 'ada', ownGeneration = false } = {},
  ): this {
    const allocations = Object.entries(paid).map(([lotId, amount]) => ({
      lotId,
      kind: 'paid',
      amount,
      unitPriceCents: price,
      expiresAt: null,
    }));
    const gift = { lotId: 'signup', kind: 'bonus', amount: free, unitPriceCents: 0, expiresAt: null };
    const image = { schemaVersion: 2, deductionId, creatorId, ownGeneration, amount: 0 };
    return this.add('DeductionSettled', { ...image, allocations: free > 0 ? [gift, ...allocations] : allocations });
  }
  add(type: string, data: object): this {
    const metadata = { occurredAt: new Date(this.at).toISOString() };
    this.events.push({ version: this.events.length, type, data: { schemaVersion: 1, ...data }, metadata });
    return this;
  }
}
