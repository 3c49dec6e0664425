import type { EventStore } from '../../platform/event-store/event-store.js';
import { accountStream, readCreditEvent, type CreditEvent } from '../../credits/index.js';
import { AccountAudit, type KindTotals, type LedgerProblem } from '../verify/account-audit.js';
import { eventsOf, timeOf } from '../verify/read-account.js';

/** An account at an instant, from its stream alone. */
export interface BalanceAt {
  readonly userId: string;
  readonly at: string;
  /** What could be spent; lapsed credits do not count. */
  readonly balance: KindTotals;
  /** Credits in deductions that had not ended. */
  readonly open: number;
  /** Credits owed for purchases that were reversed after they had been spent. */
  readonly owed: number;
  /** Version of the last event that counts; -1 when there was no account yet. */
  readonly version: number;
  /** Hash of that event; null when there is none. */
  readonly head: string | null;
}

/** A line of a statement: something that changed what could be spent, at the instant at which it did. */
export interface StatementLine {
  readonly at: string;
  /** Type of the event; `lapsed` for credits that lapsed, which need no event for it. */
  readonly what: CreditEvent['type'] | 'lapsed';
  /** The deduction, lot (a purchase is its lot), reversal or adjustment. */
  readonly reference: string;
  /** Credits, signed; 0 for a settlement. */
  readonly amount: number;
  readonly balance: number;
  /** Version of the event; null for `lapsed`. */
  readonly version: number | null;
}

/** Opening balance, lines and closing balance of a period. */
export type StatementPart =
  | { readonly part: 'opening'; readonly at: string; readonly balance: KindTotals }
  | ({ readonly part: 'line' } & StatementLine)
  | { readonly part: 'closing'; readonly at: string; readonly balance: KindTotals };

/**
 * What a user could spend at an instant, by the events up to and including it. The chain and the rules are checked on the
 * way: a balance of a stream with problems proves nothing.
 */
export async function balanceAt(
  eventStore: EventStore,
  userId: string,
  at: Date,
  onProblem: (problem: LedgerProblem) => void,
): Promise<BalanceAt> {
  const audit = new AccountAudit(accountStream(userId), onProblem);
  for await (const stored of eventsOf(eventStore, audit.stream)) {
    if (timeOf(stored) > at.getTime()) break;
    audit.add(stored);
  }
  audit.end();
  const balance = audit.spendableAt(at.getTime());
  const { version, head, openCredits: open, owed } = audit;
  return { userId, at: at.toISOString(), balance, open, owed, version, head };
}

/**
 * A user's statement of a period, `from` included, `to` not: opening balance plus all lines is the closing balance. Credits lapse
 * when they lapse, not when the event about it is written.
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
  // Just before `from`: what lapses at `from` itself is a line
  let clock = from - 1;
  let opened = false;
  const opening = (): StatementPart => {
    opened = true;
    return { part: 'opening', at: period.from.toISOString(), balance: audit.spendableAt(clock) };
  };
  function* lapses(until: number): Generator<StatementPart> {
    let balance = audit.spendableAt(clock).total;
    for (const { lotId, amount, at } of audit.lapsing(clock, until)) {
      balance -= amount;
      const line = { what: 'lapsed', reference: lotId, amount: -amount, version: null } as const;
      yield { part: 'line', at: new Date(at).toISOString(), ...line, balance };
    }
    clock = Math.max(clock, until);
  }

  for await (const stored of eventsOf(eventStore, audit.stream)) {
    const at = timeOf(stored);
    if (at >= to) break;
    if (at >= from) {
      if (!opened) yield opening();
      yield* lapses(at);
    }
    const before = audit.spendableAt(at).total;
    audit.add(stored);
    if (at < from || !audit.foldable || stored.type === 'CreditsExpired') continue;
    const balance = audit.spendableAt(at).total;
    const { type, data } = readCreditEvent(stored);
    const reference = referenceOf(data);
    const { version } = stored;
    yield {
      part: 'line',
      at: new Date(at).toISOString(),
      what: type,
      reference,
      amount: balance - before,
      balance,
      version,
    };
  }
  audit.end();
  if (!opened) yield opening();
  yield* lapses(to - 1);
  yield { part: 'closing', at: period.to.toISOString(), balance: audit.spendableAt(to - 1) };
}

function referenceOf(data: CreditEvent['data']): string {
  if ('deductionId' in data) return data.deductionId;
  if ('adjustmentId' in data) return data.adjustmentId;
  return 'reversalId' in data ? data.reversalId : data.lotId;
}
