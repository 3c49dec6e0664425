import { type AccountBalanceAt, type StatementEntry } from '../../contract/audit.js';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { verifyChain } from '../../platform/event-store/hash-chain.js';
import { accountStream, readCreditEvent, type CreditEvent } from '../../credits/index.js';
import { sealTimeOf, type SealedHead, type SealManifest } from '../seals/seal-file.js';
import { SealedStream } from '../seals/sealed-stream.js';
import { AccountAudit, type LedgerProblem } from '../verify/account-audit.js';
import { type KindTotals } from '../verify/account-lots.js';
import { datedEvents } from './dated-events.js';
import { textIn } from '../verify/read-account.js';

/** An account at an instant, computed only from its stream. */
interface BalanceAt extends Omit<AccountBalanceAt, 'user_id' | 'problems'> {
  readonly userId: string;
}

/** An account in a proven seal. */
export interface SealedPast {
  readonly manifest: SealManifest;
  readonly head: SealedHead;
}

/** A line of a statement: a change of the spendable credits, at its instant. */
export interface StatementLine extends Omit<StatementEntry, 'what' | 'seal'> {
  /** Type of the event; `lapsed` for credits that lapsed, because a lapse needs no event. */
  readonly what: CreditEvent['type'] | 'lapsed';
  /** When the event was stored; null for `lapsed`. */
  readonly recordedAt: Date | null;
}

/** Opening balance, lines and closing balance of a period. */
export type StatementPart =
  | { readonly part: 'opening'; readonly at: string; readonly balance: KindTotals }
  | ({ readonly part: 'line' } & StatementLine)
  | { readonly part: 'closing'; readonly at: string; readonly balance: KindTotals };

/**
 * The spendable credits of a user at an instant, from the events up to and including it. Also checks the chain and the
 * rules: the balance of a stream with problems proves nothing.
 * @param sealed the seal that covers the instant: the events up to its head must be the sealed ones, and every
 *   later event must have a time after the seal
 */
export async function balanceAt(
  eventStore: EventStore,
  userId: string,
  at: Date,
  onProblem: (problem: LedgerProblem) => void,
  sealed?: SealedPast,
): Promise<BalanceAt> {
  const audit = new AccountAudit(accountStream(userId), onProblem);
  const seals = sealed && new SealedStream([sealed.head], [sealTimeOf(sealed.manifest)]);
  const lastSealed = sealed?.head.version ?? -1;
  let version = -1;
  let hash = null as string | null;
  for await (const { stored, at: counts } of datedEvents(eventStore, audit.stream)) {
    const isLater = counts > at.getTime();
    // The events between the instant and the sealed head only prove that the earlier ones lead to that head.
    if (isLater && stored.version > lastSealed) break;
    if (!isLater) audit.add(stored);
    else for (const link of brokenLinks(stored, hash)) onProblem(link);
    hash = textIn(stored.metadata.hash);
    ({ version } = stored);
    seals?.add(stored, hash, onProblem);
  }
  seals?.end(audit.stream, version, onProblem);
  audit.end();
  const balance = audit.lots.spendableAt(at.getTime());
  const { head, openCredits: open, owed } = audit;
  return { userId, at: at.toISOString(), balance, open, owed, version: audit.version, head };
}

/** The chain problem of an event that follows an event with this hash; empty when there is none. */
function brokenLinks(stored: StoredEvent, previous: string | null): LedgerProblem[] {
  const { stream, version } = stored;
  if (verifyChain([stored], previous) === null) return [];
  const sentence = 'The hash does not match the content of the event and the hash before it.';
  return [{ stream, version, kind: 'chain', what: sentence }];
}

/**
 * A user's statement of a period, from `from` (inclusive) to `to` (exclusive). The opening balance plus all lines is
 * the closing balance. The instant of a lapse is the expiry of the credits, not the time of its event.
 */
export async function* statementOf(
  eventStore: EventStore,
  userId: string,
  period: { readonly from: Date; readonly to: Date },
  onProblem: (problem: LedgerProblem) => void,
): AsyncGenerator<StatementPart> {
  const from = period.from.getTime();
  const to = period.to.getTime();
  const audit = new AccountAudit(accountStream(userId), onProblem);
  // Just before `from`: credits that lapse at `from` make a line.
  let clock = from - 1;
  let opened = false;
  const opening = (): StatementPart => {
    opened = true;
    return { part: 'opening', at: period.from.toISOString(), balance: audit.lots.spendableAt(clock) };
  };
  function* lapses(until: number): Generator<StatementPart> {
    let balance = audit.lots.spendableAt(clock).total;
    for (const { lotId, amount, at } of audit.lots.lapsing(clock, until)) {
      balance -= amount;
      const line = { what: 'lapsed', reference: lotId, amount: -amount } as const;
      const noEvent = { version: null, hash: null, recordedAt: null };
      yield { part: 'line', at: new Date(at).toISOString(), ...line, balance, ...noEvent };
    }
    clock = Math.max(clock, until);
  }

  for await (const { stored, at } of datedEvents(eventStore, audit.stream)) {
    if (at >= to) break;
    if (at >= from) {
      if (!opened) yield opening();
      yield* lapses(at);
    }
    const before = audit.lots.spendableAt(at).total;
    audit.add(stored);
    if (at < from || !audit.readable || stored.type === 'CreditsExpired') continue;
    const balance = audit.lots.spendableAt(at).total;
    const { type, data } = readCreditEvent(stored);
    const reference = referenceOf(data);
    const { version, metadata, recordedAt } = stored;
    const line = { what: type, reference, amount: balance - before } as const;
    const event = { version, hash: textIn(metadata.hash), recordedAt };
    yield { part: 'line', at: new Date(at).toISOString(), ...line, balance, ...event };
  }
  audit.end();
  if (!opened) yield opening();
  yield* lapses(to - 1);
  yield { part: 'closing', at: period.to.toISOString(), balance: audit.lots.spendableAt(to - 1) };
}

/** A page of a statement with its totals. */
export interface StatementPage {
  readonly opening: KindTotals;
  readonly closing: KindTotals;
  readonly lines: readonly StatementLine[];
  /** Lines of the whole statement. */
  readonly totalLines: number;
}

/** The lines of a page: from `offset`, at most `limit` of them, counted from the oldest or from the newest line. */
export interface PageOfLines {
  readonly offset: number;
  readonly limit: number;
  readonly newestFirst: boolean;
}

/** Reads a whole statement and keeps the lines of a page. */
export async function statementPage(
  statement: AsyncIterable<StatementPart>,
  { offset, limit, newestFirst }: PageOfLines,
): Promise<StatementPage> {
  const none = { daily: 0, bonus: 0, paid: 0, total: 0 };
  const ends = { opening: none as KindTotals, closing: none as KindTotals };
  const end = offset + limit;
  let lines: StatementLine[] = [];
  let totalLines = 0;
  for await (const part of statement) {
    if (part.part !== 'line') {
      ends[part.part] = part.balance;
      continue;
    }
    if (newestFirst || (totalLines >= offset && totalLines < end)) lines.push(part);
    totalLines += 1;
    // Which lines are the newest is known at the end only.
    if (newestFirst && lines.length > 2 * end + 1000) lines = lines.slice(-end);
  }
  if (newestFirst) lines = lines.slice(-end).reverse().slice(offset);
  return { ...ends, lines, totalLines };
}

function referenceOf(data: CreditEvent['data']): string {
  if ('deductionId' in data) return data.deductionId;
  if ('adjustmentId' in data) return data.adjustmentId;
  if ('aheadUntil' in data) return data.aheadUntil;
  if ('waiverId' in data) return data.waiverId;
  return 'reversalId' in data ? data.reversalId : data.lotId;
}
