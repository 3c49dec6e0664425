import { ImportedHistory } from '../imports/imported-history.js';
import { type SealTime } from '../seals/seal-file.js';
import { AccountProjectionCheck } from './account-projection-check.js';
import { ACTIVITY_ROWS, BOOK_ROWS, REVENUE_ROWS } from './account-rows.js';
import { ActCheck, type ActScope, type FoundActs } from './act-check.js';
import { EarningsCheck, type EarningsPart, type EarningsScope } from './earnings-check.js';
import { LeafCheck } from './leaf-check.js';
import { PolicyCheck, type PolicyFacts } from './policy-check.js';
import { type ProjectionCheck, type RowsFound } from './projection-check.js';
import { RowsCheck } from './rows-check.js';
import { type LedgerStores } from './read-account.js';

/** Settings of the checks of another thread. Plain data, so that it can be sent there. */
export interface ChecksScope {
  /** Start of the rule of revenue; null: never. */
  readonly cumulativeFrom: Date | null;
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
  /** Of each projection. */
  readonly rows: readonly RowsFound[];
  readonly earnings: EarningsPart;
  readonly policy: PolicyFacts;
  readonly acts: FoundActs;
  readonly endedImports: ReadonlySet<string>;
  readonly withoutEvents: ReadonlySet<string>;
}

/** The data with which the checks of a ledger begin. */
interface ChecksStart {
  /** Start of the rule of revenue; null: never. */
  readonly cumulativeFrom: Date | null;
  readonly earnings: EarningsCheck;
  /** Null when leaves are not compared. */
  readonly leaves: LeafCheck | null;
  readonly policy: PolicyCheck;
  readonly acts: ActCheck;
  readonly imports: ImportedHistory;
  readonly sealTimes: readonly SealTime[];
  /** Since when a sign-up bonus must have a claim. Null: never. */
  readonly claimsBegan: Date | null;
}

/** The checks that span several accounts. Each thread collects for its accounts; the main thread merges and decides. */
export interface LedgerChecks extends ChecksStart {
  /** The checks that compare rows with the events of each account. */
  readonly projections: readonly ProjectionCheck[];
  /** Streams without events that were verified. */
  readonly withoutEvents: Set<string>;
}

export function ledgerChecks({ pool, eventStore }: LedgerStores, now: () => Date, start: ChecksStart): LedgerChecks {
  const { earnings, leaves } = start;
  const sources = { pool, eventStore, now };
  const books = new RowsCheck(sources, BOOK_ROWS, earnings);
  const projections: readonly ProjectionCheck[] = [
    new AccountProjectionCheck(sources),
    new RowsCheck(sources, REVENUE_ROWS),
    new RowsCheck(sources, ACTIVITY_ROWS),
    books,
    ...(leaves ? [leaves] : []),
  ];
  return { ...start, projections, withoutEvents: new Set() };
}

/** The settings with which other threads collect for these checks. */
export function scopeOf(checks: LedgerChecks): ChecksScope {
  const { cumulativeFrom, earnings, leaves, acts, imports, sealTimes, claimsBegan } = checks;
  return {
    cumulativeFrom,
    earnings: earnings.scope,
    leavesDueUntil: leaves?.dueUntil,
    acts: acts.scope(),
    imports: imports.ranges,
    sealTimes,
    claimsBegan,
  };
}

/** The checks of another thread, for its part of the accounts. */
export function checksOfPart({ pool, eventStore }: LedgerStores, now: () => Date, scope: ChecksScope): LedgerChecks {
  const { leavesDueUntil, cumulativeFrom, sealTimes, claimsBegan } = scope;
  return ledgerChecks({ pool, eventStore }, now, {
    cumulativeFrom,
    sealTimes,
    claimsBegan,
    earnings: new EarningsCheck(scope.earnings),
    leaves: leavesDueUntil === undefined ? null : new LeafCheck(pool, eventStore, leavesDueUntil),
    // The policy itself is judged where the parts are merged.
    policy: new PolicyCheck(() => undefined, null),
    acts: ActCheck.of(pool, scope.acts),
    imports: new ImportedHistory(scope.imports),
  });
}

/** The results of these checks so far. */
export function partOf(checks: LedgerChecks): ChecksPart {
  const { projections, earnings, policy, acts, imports, withoutEvents } = checks;
  return {
    rows: projections.map(({ compared, differs, isComplete }) => ({ compared, differs, isComplete })),
    earnings: earnings.part(),
    policy: policy.facts,
    acts: acts.found(),
    endedImports: imports.ended,
    withoutEvents,
  };
}

/** Adds the results of another thread. Its projections have the same order. */
export function mergePart(checks: LedgerChecks, part: ChecksPart): void {
  for (const [index, { compared, differs, isComplete }] of part.rows.entries()) {
    const check = checks.projections[index];
    if (!check) continue;
    check.compared += compared;
    check.differs ||= differs;
    check.isComplete &&= isComplete;
  }
  checks.earnings.merge(part.earnings);
  checks.policy.merge(part.policy);
  checks.acts.merge(part.acts);
  for (const stream of part.endedImports) checks.imports.ended.add(stream);
  for (const stream of part.withoutEvents) checks.withoutEvents.add(stream);
}
