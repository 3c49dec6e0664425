import {
  ACCOUNT_STREAM_PREFIX,
  POLICY_STREAM,
  readCreditEvent,
  userOfStream,
  type CreditEvent,
} from '../../credits/index.js';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { eventsIfAny } from '../../platform/event-store/read-events.js';
import { PolicyAudit, type Dated } from './policy-audit.js';
import { textIn, timeOf } from './read-account.js';
import { type LedgerProblem } from './stream-audit.js';
import { DAY_MS } from '../../contract/durations.js';

/**
 * Instances follow a change of the policy within a minute, and their clocks may differ. A value counts as in force for
 * this long before and after its time. Milliseconds.
 */
const CHANGE_TOLERANCE_MS = 10 * 60_000;
/**
 * A purchase may have a price that was in force this long before it: the session was open for hours, and a delayed
 * payment settles within weeks. Milliseconds.
 */
const PRICE_WINDOW_MS = 30 * DAY_MS;

/** Equal facts of one UTC day. The last event stands for all. */
interface Fact {
  count: number;
  at: number;
  stream: string;
  version: number;
}

type Grant = Fact & { readonly day: number; readonly amount: number };
type Sale = Fact & {
  readonly day: number;
  readonly bundleId: string;
  readonly credits: number;
  readonly cents: number;
};
type Gift = Fact & { readonly day: number; readonly actorId: string; readonly gifts: AdminGrant[] };

/** A grant of an admin, as plain data. */
export interface AdminGrant {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Credits. */
  readonly amount: number;
  readonly userId: string;
  readonly lotId: string;
  readonly actorId: string;
  /** The act that caused it; null when the event names none. */
  readonly actId: string | null;
}

/** Returns those of these grants that a second admin has approved: they do not count towards the limit. */
export type ApprovedGrants = (grants: readonly AdminGrant[]) => Promise<ReadonlySet<AdminGrant>>;

/** The facts of some accounts, as plain data. */
export interface PolicyFacts {
  /** Time of the first event of any account, epoch milliseconds. */
  firstAt: number;
  readonly dailyGrants: Map<string, Grant>;
  readonly sales: Map<string, Sale>;
  readonly gifts: Map<string, Gift>;
}

/**
 * Compares the events of all accounts with the policy: the amounts of daily grants, the prices of purchases, and what
 * admins granted in a day. It keeps equal facts of a day together, so its memory depends on the number of days, prices
 * and admins' grants, not on the number of accounts.
 */
export class PolicyCheck {
  /** The facts of the accounts so far. */
  readonly facts: PolicyFacts = {
    firstAt: Number.POSITIVE_INFINITY,
    dailyGrants: new Map(),
    sales: new Map(),
    gifts: new Map(),
  };

  /**
   * @param approved null where the acts of admins are not known: the limit of admins is then not compared
   * @param audit receives the events of the stream `policy`, in any place among the accounts
   */
  constructor(
    private readonly onProblem: (problem: LedgerProblem) => void,
    private readonly approved: ApprovedGrants | null,
    readonly audit = new PolicyAudit(onProblem),
  ) {}

  /** Adds an event of an account. Ignores an event that cannot be read: the audit of the account reports it. */
  add(stored: StoredEvent): void {
    const at = timeOf(stored);
    if (Number.isNaN(at) || !stored.stream.startsWith(ACCOUNT_STREAM_PREFIX)) return;
    const { facts } = this;
    facts.firstAt = Math.min(facts.firstAt, at);
    if (stored.type !== 'CreditsGranted' && stored.type !== 'CreditsPurchased') return;
    let event: CreditEvent;
    try {
      event = readCreditEvent(stored);
    } catch {
      return;
    }
    const fact = { count: 1, at, stream: stored.stream, version: stored.version };
    const day = Math.floor(at / DAY_MS) * DAY_MS;
    if (event.type === 'CreditsPurchased') {
      const { bundleId, amount: credits, amountCents: cents } = event.data;
      const key = JSON.stringify([day, bundleId, credits, cents]);
      note(facts.sales, key, { ...fact, day, bundleId, credits, cents });
    } else if (event.type === 'CreditsGranted' && event.data.source === 'daily') {
      const { amount } = event.data;
      note(facts.dailyGrants, `${day} ${amount}`, { ...fact, day, amount });
    } else if (event.type === 'CreditsGranted' && event.data.source === 'admin') {
      const { actorId: actor, causationId } = stored.metadata;
      const actorId = textIn(actor) ?? 'nobody';
      const { amount, lotId } = event.data;
      const gift = { at, amount, userId: userOfStream(stored.stream), lotId, actorId, actId: textIn(causationId) };
      noteGift(facts.gifts, JSON.stringify([day, actorId]), { ...fact, day, actorId, gifts: [gift] });
    }
  }

  /** Adds the facts of other accounts, from another check. */
  merge({ firstAt, dailyGrants, sales, gifts }: PolicyFacts): void {
    const { facts } = this;
    facts.firstAt = Math.min(facts.firstAt, firstAt);
    for (const [key, grant] of dailyGrants) note(facts.dailyGrants, key, grant);
    for (const [key, sale] of sales) note(facts.sales, key, sale);
    for (const [key, gift] of gifts) noteGift(facts.gifts, key, gift);
  }

  /** Must be called after the last event of all streams. */
  async end(): Promise<void> {
    this.audit.endAll(this.facts.firstAt);
    await this.compare();
  }

  /** Compares the events of some accounts. Without a policy, or with an unreadable one, nothing is compared. */
  async compare(): Promise<void> {
    if (this.audit.events === 0 || !this.audit.readable) return;
    const { dailyGrants, sales, gifts } = this.facts;
    for (const grant of dailyGrants.values()) this.checkGrant(grant);
    for (const sale of sales.values()) this.checkSale(sale);
    for (const gift of gifts.values()) await this.checkGifts(gift);
  }

  private checkGrant(grant: Grant): void {
    const { day, at, amount, count } = grant;
    const { dailyAmounts } = this.audit;
    if (isBefore(at, dailyAmounts)) return;
    const amounts = inForce(dailyAmounts, day, day + DAY_MS);
    if (amounts.includes(amount)) return;
    const others = count === 1 ? '' : ` The same is true for ${count - 1} more daily grants of that day.`;
    const sentence = `The daily grant of ${dayText(day)} is ${amount} credits, but the policy of that day is ${amounts.join(' or ')}.${others}`;
    this.report(grant, sentence);
  }

  private checkSale(sale: Sale): void {
    const { at, day, bundleId, credits, cents, count } = sale;
    const all = [...this.audit.prices.values()];
    const firstPriceAt = Math.min(...all.map(([first]) => first?.from ?? Number.POSITIVE_INFINITY));
    const from = day - PRICE_WINDOW_MS;
    // Its session may have been created before prices were events.
    if (from < firstPriceAt) return;
    const prices = inForce(this.audit.prices.get(bundleId) ?? [], from, at);
    if (prices.some((price) => price.onSale && price.credits === credits && price.priceCents === cents)) return;
    const others = count === 1 ? '' : ` The same is true for ${count - 1} more purchases of that day.`;
    const sentence = `${credits} credits of the bundle ${bundleId} were sold for ${cents} cents, which was never its price in the 30 days before.${others}`;
    this.report(sale, sentence);
  }

  private async checkGifts(gift: Gift): Promise<void> {
    const { day, actorId, gifts } = gift;
    const { adminGrantLimits } = this.audit;
    const dated = gifts.filter(({ at }) => !isBefore(at, adminGrantLimits));
    if (dated.length === 0 || this.approved === null) return;
    const limit = Math.max(...inForce(adminGrantLimits, day, day + DAY_MS));
    if (sumOf(dated) <= limit) return;
    const approved = await this.approved(dated);
    const sum = sumOf(dated.filter((each) => !approved.has(each)));
    if (sum <= limit) return;
    const sentence = `${actorId} granted ${sum} credits on ${dayText(day)}, but the limit of that day is ${limit}.`;
    this.report(gift, sentence);
  }

  private report({ stream, version }: Fact, sentence: string): void {
    this.onProblem({ stream, version, kind: 'policy', what: sentence });
  }
}

/** Adds a fact to the equal ones. The last event stands for all; of two at the same time, the first by stream. */
function note<Kind extends Fact>(facts: Map<string, Kind>, key: string, fact: Kind): void {
  const known = facts.get(key);
  if (!known) {
    facts.set(key, fact);
    return;
  }
  known.count += fact.count;
  const { at, stream, version } = fact;
  if (at > known.at || (at === known.at && goesBefore(fact, known))) Object.assign(known, { at, stream, version });
}

function goesBefore(a: Fact, b: Fact): boolean {
  return a.stream === b.stream ? a.version < b.version : a.stream < b.stream;
}

function sumOf(grants: readonly AdminGrant[]): number {
  return grants.reduce((total, { amount }) => total + amount, 0);
}

/** Adds the gifts of one admin and day. */
function noteGift(facts: Map<string, Gift>, key: string, gift: Gift): void {
  facts.get(key)?.gifts.push(...gift.gifts);
  note(facts, key, gift);
}

/** True for a time before the policy says anything: nothing can be compared. */
function isBefore(at: number, [first]: readonly Dated<unknown>[]): boolean {
  return !first || at < first.from + (first.from === 0 ? 0 : CHANGE_TOLERANCE_MS);
}

/** The values that were in force at any time of a period, in epoch milliseconds. */
function inForce<Value>(values: readonly Dated<Value>[], from: number, to: number): Value[] {
  return values
    .filter(({ from: start }, index) => {
      const end = values[index + 1]?.from ?? Number.POSITIVE_INFINITY;
      return start - CHANGE_TOLERANCE_MS <= to && end + CHANGE_TOLERANCE_MS > from && end > start;
    })
    .map(({ value }) => value);
}

function dayText(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}

/**
 * Audits the whole stream `policy`, except for what depends on accounts. A deleted stream reads as an empty one.
 * @param onEvent receives each event
 */
export async function auditPolicy(
  eventStore: EventStore,
  onProblem: (problem: LedgerProblem) => void,
  onEvent: (stored: StoredEvent) => void = () => undefined,
): Promise<PolicyAudit> {
  const audit = new PolicyAudit(onProblem);
  for await (const stored of eventsIfAny(eventStore, POLICY_STREAM)) {
    audit.add(stored);
    onEvent(stored);
  }
  return audit;
}
