import { FROM_THE_BEGINNING, POLICY_STREAM, readPolicyEvent, type PolicyEvent } from '../../credits/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { StreamAudit, type LedgerProblem } from './stream-audit.js';
import { DAY_MS } from '../../contract/durations.js';

/** Clocks of instances may differ by this much. Milliseconds. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** A value of the policy. */
export interface Dated<Value> {
  readonly value: Value;
  /** From when on it holds, epoch milliseconds. */
  readonly from: number;
  /** Version of its event. */
  readonly version: number;
}

/** Content and price of a bundle. */
export interface AuditedPrice {
  readonly credits: number;
  readonly priceCents: number;
  readonly onSale: boolean;
}

/**
 * Checks the stream `policy`, event by event, and keeps what it says, with a fold of its own. The values of a list are
 * in the order of the stream.
 */
export class PolicyAudit extends StreamAudit {
  readonly dailyAmounts: Dated<number>[] = [];
  readonly adminGrantLimits: Dated<number>[] = [];
  readonly prices = new Map<string, Dated<AuditedPrice>[]>();
  /** Times of imported events, epoch milliseconds. */
  private readonly imports: { readonly from: number; readonly to: number }[] = [];
  private hasRevenueRule = false;
  /** The last event that claims to hold from the beginning. */
  private lastFromTheBeginning: { readonly version: number; readonly at: number } | null = null;

  constructor(onProblem: (problem: LedgerProblem) => void) {
    super(POLICY_STREAM, onProblem);
  }

  /**
   * Must be called after the last event of all streams.
   * @param firstAccountEventAt time of the first event of any account, epoch milliseconds; Infinity without one
   */
  endAll(firstAccountEventAt: number): void {
    const last = this.lastFromTheBeginning;
    if (!last || last.at <= firstAccountEventAt + CLOCK_TOLERANCE_MS) return;
    // An import appends older events to an empty store that has its policy already.
    if (this.imports.some(({ from, to }) => from <= firstAccountEventAt && firstAccountEventAt <= to)) return;
    const first = new Date(firstAccountEventAt).toISOString();
    const sentence = `The event claims to hold from the beginning, but accounts have events since ${first}.`;
    this.report(last.version, 'policy', sentence);
  }

  protected override read(stored: StoredEvent): void {
    const at = this.advance(stored);
    this.apply(readPolicyEvent(stored), at, stored.version);
  }

  private apply({ type, data }: PolicyEvent, at: number, version: number): void {
    if (type === 'HistoryImported') {
      this.imports.push({ from: Date.parse(data.from), to: Date.parse(data.to) });
      return;
    }
    const from = this.startOf(type, data.effectiveFrom, at, version);
    switch (type) {
      case 'RevenueRuleAdopted':
        if (this.hasRevenueRule) this.report(version, 'policy', 'The revenue rule is adopted a second time.');
        this.hasRevenueRule = true;
        return;
      case 'DailyGrantAmountSet':
        this.requireNumbers(version, data.amount);
        this.dailyAmounts.push({ value: data.amount, from, version });
        return;
      case 'AdminGrantLimitSet':
        this.requireNumbers(version, data.amount + 1);
        this.adminGrantLimits.push({ value: data.amount, from, version });
        return;
      case 'BundlePriced': {
        const { bundleId, credits, priceCents, onSale } = data;
        this.requireNumbers(version, credits, priceCents);
        const prices = this.prices.get(bundleId) ?? [];
        this.prices.set(bundleId, [...prices, { value: { credits, priceCents, onSale }, from, version }]);
      }
    }
  }

  /** A policy holds from its own time, or from the beginning of an empty store. Only the revenue rule starts later. */
  private startOf(type: PolicyEvent['type'], effectiveFrom: string, at: number, version: number): number {
    const from = Date.parse(effectiveFrom);
    if (Number.isNaN(from)) throw new Error('it has no valid start.');
    if (effectiveFrom === FROM_THE_BEGINNING) this.lastFromTheBeginning = { version, at };
    else if (type === 'RevenueRuleAdopted') {
      if (from < at || from % DAY_MS !== 0) {
        this.report(version, 'policy', `The revenue rule must begin at a later midnight, not at ${effectiveFrom}.`);
      }
    } else if (from !== at) {
      this.report(version, 'policy', `The event must hold from its own time on, not from ${effectiveFrom}.`);
    }
    return from;
  }

  private requireNumbers(version: number, ...numbers: number[]): void {
    if (numbers.every((number) => Number.isSafeInteger(number) && number > 0)) return;
    this.report(version, 'policy', 'The event has an amount that is not a positive number.');
  }
}
