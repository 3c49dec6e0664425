import { type Kysely } from 'kysely';
import { ACCOUNT_STREAM_PREFIX, readCreditEvent, userOfStream, type CreditEvent } from '../../credits/index.js';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { eventsOfStreams } from '../../platform/event-store/read-events.js';
import {
  checkoutIdOf,
  type PaymentProcessor,
  type Period,
  type ProcessorReversal,
  type ProcessorSession,
  ProcessorNotFoundError,
} from '../providers/payment-processor.js';
import { stands } from '../standing.js';
import { type PaymentTables } from '../tables.js';

export interface ReconcileSources {
  readonly db: Kysely<PaymentTables>;
  readonly eventStore: EventStore;
  readonly processor: PaymentProcessor;
  /** True for an event of imported history, which the processor may not know. By default none is. */
  readonly isImported?: (stream: string, version: number) => boolean;
}

/** A difference between the ledger and the processor. */
export interface LedgerDifference {
  /** The checkout session. For money without a session, the refund or dispute. */
  readonly subject: string;
  readonly userId: string | null;
  /** A sentence, with the amounts of both sides in cents. */
  readonly what: string;
}

/** Counts and sums of a comparison with the processor. Money is in US cents. */
export interface ReconcileSummary {
  /** Number of compared sessions that were paid at the processor. */
  sessions: number;
  /** US cents that were paid at the processor. */
  paidCents: number;
  /** US cents that the ledger records for the same sessions. */
  purchasedCents: number;
  /** US cents of imported purchases that the processor does not know. */
  importedCents: number;
  /** US cents of the processor's effective reversals. */
  returnedCents: number;
  /** US cents of the ledger's effective reversals. */
  reversedCents: number;
  differences: number;
}

export interface ReconcileOptions {
  readonly onDifference: (difference: LedgerDifference) => void;
  readonly onProgress?: (soFar: ReconcileSummary) => void;
}

/** The contribution of one session to the summary. */
type Tally = Omit<ReconcileSummary, 'differences' | 'importedCents'>;

interface SessionOwner {
  readonly userId: string | null;
  /** Our table has the session, or it names a checkout. */
  readonly isOurs: boolean;
}

interface LedgerReversal {
  readonly amountCents: number;
  readonly stands: boolean;
}

/** A purchase as an account's stream records it. */
interface LedgerPurchase {
  readonly userId: string;
  /** Version of its event. */
  readonly version: number;
  readonly credits: number;
  readonly amountCents: number;
  readonly paymentIntentId: string | null;
  readonly reversals: ReadonlyMap<string, LedgerReversal>;
}

/**
 * Compares the purchases of the ledger with the processor's sessions, refunds and disputes, to the cent: every session
 * made in the period, every purchase, reversal and reinstatement that occurred in it, every refund and dispute that
 * began in it. Apparent differences are compared again one by one at the end, because both sides may have changed
 * meanwhile. A payment that was never credited and was returned in full is not a difference and not part of a sum.
 * Neither is what another shop did with the same account: a session that is not in our table and names no checkout,
 * and the refunds and disputes of such a payment, or of a payment without a session.
 * Sessions and events are read page by page. Only the refunds and disputes since the period's start, and the ids of
 * compared sessions, stay in memory.
 * @throws ProcessorUnavailableError when the processor does not answer
 */
export async function reconcileLedger(
  sources: ReconcileSources,
  period: Required<Period>,
  options: ReconcileOptions,
): Promise<ReconcileSummary> {
  return new Reconciliation(sources, period, options).run();
}

class Reconciliation {
  private readonly summary: ReconcileSummary = {
    sessions: 0,
    paidCents: 0,
    purchasedCents: 0,
    importedCents: 0,
    returnedCents: 0,
    reversedCents: 0,
    differences: 0,
  };
  private readonly compared = new Set<string>();
  /** Sessions with apparent differences, and their users. */
  private readonly doubtful = new Map<string, string | null>();
  /** Reversals by payment, from the period's start until now. */
  private readonly returned = new Map<string, ProcessorReversal[]>();

  constructor(
    private readonly sources: ReconcileSources,
    private readonly period: Required<Period>,
    private readonly options: ReconcileOptions,
  ) {}

  async run(): Promise<ReconcileSummary> {
    const { processor } = this.sources;
    for await (const reversal of processor.reversals({ from: this.period.from })) this.keep(reversal);
    for await (const page of processor.sessions(this.period)) await this.comparePage(page);
    await this.compareWrittenInPeriod();
    await this.compareReturnedInPeriod();
    for (const [sessionId, userId] of this.doubtful) await this.compareAlone(sessionId, userId);
    return this.summary;
  }

  private keep(reversal: ProcessorReversal): void {
    const payment = reversal.paymentIntentId ?? reversal.id;
    this.returned.set(payment, [...(this.returned.get(payment) ?? []), reversal]);
  }

  private async comparePage(sessions: readonly ProcessorSession[]): Promise<void> {
    const owners = await this.ownersOf(sessions);
    const users = new Set([...owners.values()].flatMap(({ userId }) => userId ?? []));
    const known = await this.purchasesOf([...users]);
    for (const session of sessions) {
      const reversals = this.returned.get(session.paymentIntentId ?? '') ?? [];
      const owner = owners.get(session.id)?.userId ?? null;
      this.compared.add(session.id);
      if (!owners.get(session.id)?.isOurs && !known.has(session.id)) continue;
      const found = compare(session, reversals, known.get(session.id));
      if (found.differences.length > 0) this.doubtful.set(session.id, owner);
      else this.add(found.tally);
    }
    this.options.onProgress?.(this.summary);
  }

  /** The user of each session: from the checkout, else from the session itself. */
  private async ownersOf(sessions: readonly ProcessorSession[]): Promise<Map<string, SessionOwner>> {
    const rows = await this.sources.db
      .selectFrom('checkout')
      .select(['session_id', 'user_id'])
      .where(
        'session_id',
        'in',
        sessions.map(({ id }) => id),
      )
      .execute();
    const written = new Map(rows.map((row) => [row.session_id, row.user_id]));
    return new Map(
      sessions.map((session) => {
        const isOurs = written.has(session.id) || checkoutIdOf(session) !== null;
        return [session.id, { userId: written.get(session.id) ?? session.clientReferenceId, isOurs }];
      }),
    );
  }

  /** Purchases of these users by session, from their streams. */
  private async purchasesOf(users: readonly string[]): Promise<Map<string, LedgerPurchase>> {
    const purchases = new Map<string, LedgerPurchase & { readonly reversals: Map<string, LedgerReversal> }>();
    const streams = users.map((user) => ACCOUNT_STREAM_PREFIX + user).sort(byBytes);
    for await (const events of eventsOfStreams(this.sources.eventStore, streams)) {
      for (const stored of events) {
        const { type, data } = readCreditEvent(stored);
        if (type === 'CreditsPurchased') {
          const { amount: credits, amountCents, paymentIntentId } = data;
          const userId = userOfStream(stored.stream);
          purchases.set(data.lotId, {
            userId,
            version: stored.version,
            credits,
            amountCents,
            paymentIntentId,
            reversals: new Map(),
          });
        } else if (type === 'PurchaseReversed') {
          const { reversalId, amountCents } = data;
          purchases.get(data.lotId)?.reversals.set(reversalId, { amountCents, stands: true });
        } else if (type === 'PurchaseReinstated') {
          const { reversals } = purchases.get(data.lotId) ?? {};
          const reversed = reversals?.get(data.reversalId);
          if (reversed) reversals?.set(data.reversalId, { ...reversed, stands: false });
        }
      }
    }
    return purchases;
  }

  /**
   * Compares the purchases and reversals of the period whose session is older or does not exist. Uses the time in the
   * hashed metadata of the event, because a change of it would be detected.
   */
  private async compareWrittenInPeriod(): Promise<void> {
    const { eventStore } = this.sources;
    const wanted = { ...this.period, types: PURCHASE_EVENTS, streamPrefix: ACCOUNT_STREAM_PREFIX };
    for await (const events of eventStore.occurred(wanted)) {
      for (const stored of events) {
        const sessionId = sessionIdOf(readCreditEvent(stored));
        if (sessionId === null || this.compared.has(sessionId)) continue;
        await this.compareAlone(sessionId, userOfStream(stored.stream));
      }
      this.options.onProgress?.(this.summary);
    }
  }

  private async compareReturnedInPeriod(): Promise<void> {
    for (const [payment, reversals] of this.returned) {
      const inPeriod = reversals.find(({ createdAt }) => createdAt < this.period.to);
      if (!inPeriod || inPeriod.paymentIntentId === null) continue;
      const session = await this.sources.processor.sessionOfPayment(payment);
      if (session === null || this.compared.has(session.id)) continue;
      const { userId, isOurs } = (await this.ownersOf([session])).get(session.id) ?? { userId: null, isOurs: false };
      const purchases = isOurs || userId === null ? null : await this.purchasesOf([userId]);
      if (isOurs || purchases?.has(session.id)) await this.compareAlone(session.id, userId);
    }
  }

  private async compareAlone(sessionId: string, userId: string | null): Promise<void> {
    const { processor } = this.sources;
    const purchase = userId === null ? undefined : (await this.purchasesOf([userId])).get(sessionId);
    let session: ProcessorSession;
    try {
      session = await processor.session(sessionId);
    } catch (error) {
      if (!(error instanceof ProcessorNotFoundError)) throw error;
      this.compared.add(sessionId);
      if (purchase && this.sources.isImported?.(ACCOUNT_STREAM_PREFIX + purchase.userId, purchase.version)) {
        this.summary.importedCents += purchase.amountCents;
        return;
      }
      this.summary.purchasedCents += purchase?.amountCents ?? 0;
      this.report(
        sessionId,
        userId,
        `The ledger has a purchase for ${purchase?.amountCents ?? 0} cents, but the processor has no such session.`,
      );
      return;
    }
    const reversals = session.paymentIntentId === null ? [] : await processor.reversalsOf(session.paymentIntentId);
    const { tally, differences } = compare(session, reversals, purchase);
    this.compared.add(sessionId);
    this.add(tally);
    for (const difference of differences) this.report(sessionId, purchase?.userId ?? userId, difference);
  }

  private add(tally: Tally): void {
    for (const name of Object.keys(tally) as (keyof Tally)[]) this.summary[name] += tally[name];
  }

  private report(subject: string, userId: string | null, description: string): void {
    this.summary.differences += 1;
    this.options.onDifference({ subject, userId, what: description });
  }
}

/** Compares one session and its reversals with the ledger. */
function compare(
  session: ProcessorSession,
  reversals: readonly ProcessorReversal[],
  purchase: LedgerPurchase | undefined,
): { tally: Tally; differences: string[] } {
  const tally = { sessions: 0, paidCents: 0, purchasedCents: 0, returnedCents: 0, reversedCents: 0 };
  const differences: string[] = [];
  const paid = session.paymentStatus === 'paid' ? (session.amountTotal ?? 0) : null;
  if (!purchase) {
    const back = reversals.reduce((sum, each) => sum + (stands(each) === true ? each.amountCents : 0), 0);
    if (paid === null || back >= paid) return { tally, differences };
    differences.push(`${paid} cents were paid, but the ledger has no purchase.`);
    return { tally: { ...tally, sessions: 1, paidCents: paid, returnedCents: back }, differences };
  }
  tally.purchasedCents = purchase.amountCents;
  if (paid === null)
    differences.push(`The ledger has a purchase for ${purchase.amountCents} cents, but nothing was paid.`);
  else {
    tally.sessions = 1;
    tally.paidCents = paid;
    if (paid !== purchase.amountCents) {
      differences.push(`${paid} cents were paid, but the ledger has a purchase for ${purchase.amountCents} cents.`);
    }
  }
  const credits = Number(session.metadata['bundleCredits']);
  if (credits !== purchase.credits) {
    differences.push(`The session was for ${credits} credits, but ${purchase.credits} were granted.`);
  }
  if (session.clientReferenceId !== purchase.userId) {
    differences.push('The user who paid differs from the user who was credited.');
  }
  if (session.paymentIntentId !== purchase.paymentIntentId) {
    differences.push(
      `The session was paid by ${session.paymentIntentId ?? 'nothing'}, but the ledger has ${purchase.paymentIntentId ?? 'nothing'}.`,
    );
  }
  compareReversals(reversals, purchase.reversals, tally, differences);
  return { tally, differences };
}

function compareReversals(
  found: readonly ProcessorReversal[],
  recorded: ReadonlyMap<string, LedgerReversal>,
  tally: Tally,
  differences: string[],
): void {
  const unexplained = new Map([...recorded].filter(([, reversal]) => reversal.stands));
  for (const { amountCents } of unexplained.values()) tally.reversedCents += amountCents;
  for (const reversal of found) {
    const { id, kind, amountCents, state, adminRefundId } = reversal;
    const reversalId = adminRefundId !== null && unexplained.has(adminRefundId) ? adminRefundId : id;
    const inLedger = unexplained.get(reversalId);
    unexplained.delete(reversalId);
    const gone = stands(reversal) ?? true;
    if (gone) tally.returnedCents += amountCents;
    if (gone && !inLedger) {
      differences.push(
        `${amountCents} cents were returned by the ${kind} ${id}, but the ledger does not reverse them.`,
      );
    } else if (!gone && inLedger) {
      differences.push(`The ${kind} ${id} is ${state}, but the ledger reverses ${inLedger.amountCents} cents for it.`);
    } else if (gone && inLedger && inLedger.amountCents !== amountCents) {
      differences.push(
        `${amountCents} cents were returned by the ${kind} ${id}, but the ledger reverses ${inLedger.amountCents}.`,
      );
    }
  }
  for (const [reversalId, { amountCents }] of unexplained) {
    differences.push(`The ledger reverses ${amountCents} cents for ${reversalId}, which the processor does not have.`);
  }
}

/** The events with the session of a purchase. The index `event_purchase_time` has the same types. */
const PURCHASE_EVENTS: readonly CreditEvent['type'][] = ['CreditsPurchased', 'PurchaseReversed', 'PurchaseReinstated'];

/** The session of a purchase event. Null for other events. */
function sessionIdOf({ type, data }: CreditEvent): string | null {
  return type === 'CreditsPurchased' || type === 'PurchaseReversed' || type === 'PurchaseReinstated'
    ? data.lotId
    : null;
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
