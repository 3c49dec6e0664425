import { type Pool } from 'pg';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { ImportedHistory } from '../imports/imported-history.js';
import { type SealTime } from '../seals/seal-file.js';
import { AccountProjectionCheck, type BalancesPart } from './account-projection-check.js';
import { ActCheck, type ActScope, type FoundActs } from './act-check.js';
import { ActivityCheck, type ActivityPart } from './activity-check.js';
import { BooksCheck } from './books-check.js';
import { EarningsCheck, type EarningsPart, type EarningsScope } from './earnings-check.js';
import { LeafCheck } from './leaf-check.js';
import { PolicyCheck, type PolicyFacts } from './policy-check.js';
import { type ProjectionCheck, type RevenueScope, type SumsScope } from './projection-check.js';
import { RevenueCheck, type RevenuePart } from './revenue-check.js';

/** Settings of the checks of another thread. Plain data, so that it can be sent there. */
export interface ChecksScope {
  readonly balances: SumsScope;
  readonly revenue: RevenueScope;
  readonly activity: RevenueScope;
  /** Start of the rule of revenue; null: never. */
  readonly booksRule: Date | null;
  readonly earnings: EarningsScope;
  /** See `LeafCheck`. Undefined when leaves are not compared. */
  readonly leavesDueUntil: number | null | undefined;
  readonly acts: ActScope;
  readonly imports: ImportedHistory['ranges'];
  readonly sealTimes: readonly SealTime[];
  readonly claimsBegan: Date | null;
}

/** The results of the checks of one thread. Plain data. */
export interface ChecksPart {
  readonly balances: BalancesPart;
  readonly revenue: RevenuePart;
  readonly activity: ActivityPart;
  /** Lines and purchases compared. */
  readonly books: number;
  readonly earnings: EarningsPart;
  /** Leaves compared. */
  readonly leaves: number;
  readonly policy: PolicyFacts;
  readonly acts: FoundActs;
  readonly endedImports: ReadonlySet<string>;
  readonly withoutEvents: ReadonlySet<string>;
}

/** The checks that span several accounts. Each thread collects for its accounts; the main thread merges and decides. */
export interface LedgerChecks {
  readonly balances: AccountProjectionCheck;
  readonly revenue: RevenueCheck;
  readonly activity: ActivityCheck;
  readonly books: BooksCheck;
  readonly earnings: EarningsCheck;
  /** Null when leaves are not compared. */
  readonly leaves: LeafCheck | null;
  readonly policy: PolicyCheck;
  readonly acts: ActCheck;
  readonly imports: ImportedHistory;
  readonly sealTimes: readonly SealTime[];
  /** Since when a sign-up bonus must have a claim. Null: never. */
  readonly claimsBegan: Date | null;
  /** Streams without events that were verified. */
  readonly withoutEvents: Set<string>;
}

/** The checks that compare rows with the events of each account. */
export function projectionsIn({
  balances,
  revenue,
  activity,
  books,
  leaves,
}: LedgerChecks): readonly ProjectionCheck[] {
  return [balances, revenue, activity, books, ...(leaves ? [leaves] : [])];
}

/** The settings with which other threads collect for these checks. */
export function scopeOf(checks: LedgerChecks): ChecksScope {
  const { balances, revenue, activity, books, earnings, leaves, acts, imports, sealTimes, claimsBegan } = checks;
  return {
    balances: balances.scope,
    revenue: revenue.scope,
    activity: activity.scope,
    booksRule: books.cumulativeFrom,
    earnings: earnings.scope,
    leavesDueUntil: leaves?.dueUntil,
    acts: acts.scope(),
    imports: imports.ranges,
    sealTimes,
    claimsBegan,
  };
}

/** The checks of another thread, for its part of the accounts. */
export function checksOfPart(
  { pool, eventStore }: { readonly pool: Pool; readonly eventStore: EventStore },
  now: () => Date,
  scope: ChecksScope,
): LedgerChecks {
  const earnings = new EarningsCheck(scope.earnings);
  return {
    balances: new AccountProjectionCheck(pool, eventStore, now, scope.balances),
    revenue: new RevenueCheck(pool, eventStore, now, scope.revenue),
    activity: new ActivityCheck(pool, eventStore, now, scope.activity),
    books: new BooksCheck(pool, eventStore, now, scope.booksRule, earnings),
    earnings,
    leaves: scope.leavesDueUntil === undefined ? null : new LeafCheck(pool, eventStore, scope.leavesDueUntil),
    // The policy itself is judged where the parts are merged.
    policy: new PolicyCheck(() => undefined, null),
    acts: ActCheck.of(pool, scope.acts),
    imports: new ImportedHistory(scope.imports),
    sealTimes: scope.sealTimes,
    claimsBegan: scope.claimsBegan,
    withoutEvents: new Set(),
  };
}

/** The results of these checks so far. */
export function partOf(checks: LedgerChecks): ChecksPart {
  const { balances, revenue, activity, books, earnings, leaves, policy, acts, imports, withoutEvents } = checks;
  return {
    balances: balances.part(),
    revenue: revenue.part(),
    activity: activity.part(),
    books: books.compared,
    earnings: earnings.part(),
    leaves: leaves?.compared ?? 0,
    policy: policy.facts,
    acts: acts.found(),
    endedImports: imports.ended,
    withoutEvents,
  };
}

/** Adds the results of another thread. */
export function mergePart(checks: LedgerChecks, part: ChecksPart): void {
  checks.balances.merge(part.balances);
  checks.revenue.merge(part.revenue);
  checks.activity.merge(part.activity);
  checks.books.compared += part.books;
  checks.earnings.merge(part.earnings);
  if (checks.leaves) checks.leaves.compared += part.leaves;
  checks.policy.merge(part.policy);
  checks.acts.merge(part.acts);
  for (const stream of part.endedImports) checks.imports.ended.add(stream);
  for (const stream of part.withoutEvents) checks.withoutEvents.add(stream);
}
