import { validate as isUuid } from 'uuid';
import {
  ACCOUNT_STREAM_PREFIX,
  accountProjection,
  accountStream,
  type BalanceRow,
  type TransactionRow,
  userOfStream,
} from '../../credits/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { eventsOf } from '../../platform/event-store/read-events.js';
import { booksProjection } from '../../finance/index.js';
import { ACTIVITY_PROJECTION, REVENUE_PROJECTION } from '../../revenue/index.js';
import { type DeductionRecord, type LedgerProblem } from '../verify/account-audit.js';
import { eventsWithoutAct } from '../verify/act-check.js';
import { purchaseMismatch, purchasesOf } from '../verify/checkout-purchases.js';
import { type Charge, chargeMismatch, chargesOf } from '../verify/generation-charges.js';
import { type PolicyAudit } from '../verify/policy-audit.js';
import { approvedGrants } from '../verify/approved-grants.js';
import { auditPolicy, PolicyCheck } from '../verify/policy-check.js';
import { eventAt } from '../verify/read-account.js';
import { verifyAccounts } from '../verify/verify-ledger.js';
import { AccountState } from './account-state.js';
import { checkEndedCharges, checkEndedPurchases } from './check-ended.js';
import { checkStreams } from './check-streams.js';
import { checkWholeLedger, type ContinuousSources } from './check-whole-ledger.js';
import { findRewrittenAccounts, suspect } from './suspects.js';
import {
  ensureProgress,
  readAccounts,
  readProgress,
  replaceProblems,
  saveAccounts,
  startAgain,
  type VerifiedRow,
} from './verification-store.js';

/** Events read at once. */
const EVENTS_PER_READ = 1000;
/** Accounts that one run verifies completely. */
const COMPLETE_PER_RUN = 20;
/** Balances that one run compares again. */
const BALANCES_PER_RUN = 500;
/** A balance that cannot be compared for this long makes an account suspect. Milliseconds. */
const COMPARABLE_WITHIN_MS = 10 * 60_000;

/** Result of one run. */
export interface VerificationRun {
  readonly events: number;
  /** Accounts with new events, and accounts that were verified completely. */
  readonly accounts: number;
  readonly verifiedCompletely: number;
  /** True when the position was lost and the run started at the first event. */
  readonly startedAgain: boolean;
  /** Problems that are known after the run. */
  readonly problems: number;
}

/**
 * Verifies what is new since the last run: each new event against the audit's own fold of its account, the rows that
 * it makes, its generation, its checkout and, for the work of an admin, its act; also generations and checkouts that
 * have ended since. An account in which anything differs is verified completely, and its problems are stored until a
 * later run finds them gone. Streams of payouts and that of the processor are verified when they have new events. The
 * cost depends on what is new. Runs must not overlap.
 * @param options.maxEvents the run stops after this many events; the next one continues
 */
export async function verifyNewEvents(
  sources: ContinuousSources,
  options: { readonly now: () => Date; readonly maxEvents: number },
): Promise<VerificationRun> {
  return new Run(sources, options.now, options.maxEvents).run();
}

class Run {
  private events = 0;
  private readonly touched = new Set<string>();
  private position: string | null = null;
  /** True when more events are due than the run may verify. */
  private stopsEarly = false;
  /**
   * The policy as of the first page. An event that follows a later one makes its account suspect, and the complete
   * verification reads the policy again.
   */
  private policy: PolicyAudit | null = null;

  constructor(
    private readonly sources: ContinuousSources,
    private readonly now: () => Date,
    private readonly maxEvents: number,
  ) {}

  async run(): Promise<VerificationRun> {
    const { pool, slowPool = pool } = this.sources;
    const startedAt = this.now();
    await ensureProgress(pool);
    const startedAgain = await this.startAgainIfLost();
    this.position = (await readProgress(pool)).position;
    const ofAccounts = (await this.verifyEvents()) ?? startedAt;
    await this.comparePending();
    await this.checkCharges(ofAccounts);
    await checkEndedPurchases(this.sources, ofAccounts, this.maxEvents, this.now());
    const ofStreams = (await checkStreams({ ...this.sources, pool: slowPool }, this.now)) ?? startedAt;
    const verifiedUntil = ofStreams < ofAccounts ? ofStreams : ofAccounts;
    await checkWholeLedger(this.sources, this.now);
    const verifiedCompletely = await this.verifySuspects();
    const { rows } = await pool.query<{ problems: number }>(
      `with done as (update ledger_verification set verified_until = $1, succeeded_at = $2)
       select count(*)::int as problems from ledger_problem`,
      [verifiedUntil, this.now()],
    );
    const problems = rows[0]?.problems ?? 0;
    return { events: this.events, accounts: this.touched.size, verifiedCompletely, startedAgain, problems };
  }

  /** Starts again when the last verified event is no longer at its position: the store is another one. */
  private async startAgainIfLost(): Promise<boolean> {
    const { pool, eventStore } = this.sources;
    const { position, stream, version, event_id: id } = await readProgress(pool);
    if (position === null || stream === null || version === null) return false;
    const last = await eventAt(eventStore, stream, version);
    if (last?.id === id && last.position === position) return false;
    await startAgain(pool);
    return true;
  }

  /**
   * Verifies events up to the position that all projections have reached.
   * @returns when the first event was recorded that is not verified; null when there is none
   */
  private async verifyEvents(): Promise<Date | null> {
    const { eventStore } = this.sources;
    const target = await this.projectedPosition();
    for (;;) {
      const remainingEvents = this.maxEvents - this.events;
      // Nothing left: one event is read to know since when events are not verified.
      const limit = Math.max(1, Math.min(EVENTS_PER_READ, remainingEvents));
      const page = await eventStore.readAll({ after: this.position, limit, streamPrefix: ACCOUNT_STREAM_PREFIX });
      const isDue = ({ position }: StoredEvent): boolean =>
        target !== null && eventStore.comparePositions(position, target) <= 0;
      const dueEvents = remainingEvents > 0 ? page.filter(isDue) : [];
      const last = dueEvents.at(-1);
      if (last) {
        await this.verifyPage(dueEvents, last);
        this.position = last.position;
        this.events += dueEvents.length;
        // Checked early: a saved state forgets old deductions.
        await this.checkCharges(last.recordedAt);
      }
      this.stopsEarly = remainingEvents === 0 && page.some(isDue);
      if (dueEvents.length < page.length) return page[dueEvents.length]?.recordedAt ?? null;
      // A short page is no end: a slow store answers with what it has.
      if (!last) return null;
    }
  }

  /** The position up to which every projection has applied the events; null when one has applied none. */
  private async projectedPosition(): Promise<string | null> {
    const names = [accountProjection, REVENUE_PROJECTION, ACTIVITY_PROJECTION, booksProjection].map(({ name }) => name);
    const { rows } = await this.sources.pool.query<{ position: string | null }>(
      'select position from projection_checkpoint where name = any($1::text[])',
      [names],
    );
    if (rows.length < names.length) return null;
    return rows
      .map(({ position }) => position)
      .reduce((a, b) => {
        if (a === null || b === null) return null;
        return this.sources.eventStore.comparePositions(a, b) <= 0 ? a : b;
      });
  }

  private async verifyPage(events: readonly StoredEvent[], last: StoredEvent): Promise<void> {
    const { pool } = this.sources;
    const users = [...new Set(events.map(({ stream }) => userOfStream(stream)))];
    for (const user of users) this.touched.add(user);
    const known = await readAccounts(pool, users);
    const accounts = new Map<string, AccountState>();
    const from = new Map<string, number>();
    const policies = new Map<string, PolicyCheck>();
    const policy = (this.policy ??= await auditPolicy(this.sources.eventStore, () => undefined));
    const approved = approvedGrants(pool);
    const now = this.now().getTime();
    for (const event of events) {
      const userId = userOfStream(event.stream);
      const row = known.get(userId);
      // A complete verification is due, and will include this event.
      if (row?.state === null) continue;
      const account = accounts.get(userId) ?? new AccountState(userId, row?.state ?? null);
      if (!accounts.has(userId)) from.set(userId, account.audit.version);
      accounts.set(userId, account);
      if (event.version <= (row?.version ?? -1)) {
        // Another event was verified at this version.
        account.suspect = true;
        continue;
      }
      account.add(event, now);
      const check = policies.get(userId) ?? new PolicyCheck(() => (account.suspect = true), approved, policy);
      policies.set(userId, check);
      check.add(event);
    }
    for (const account of accounts.values()) account.end();
    for (const check of policies.values()) await check.compare();
    const compared = await this.compareRows(accounts, from);
    await this.compareRecords([...accounts.values()].filter((account) => !account.suspect));
    const rows = [...accounts.values()].map((account): VerifiedRow => {
      const { userId: user_id, suspect: isSuspect, audit } = account;
      if (isSuspect) return { user_id, version: -1, state: null, pending_since: null };
      const pendingSince = compared.has(user_id) ? null : (known.get(user_id)?.pending_since ?? this.now());
      return { user_id, version: audit.version, state: account.save(), pending_since: pendingSince };
    });
    const suspects = rows.filter(({ state }) => state === null).map(({ user_id: user }) => user);
    await findRewrittenAccounts(this.sources, suspects, known, this.now());
    await saveAccounts(pool, rows, { last, events: events.length });
  }

  /** Compares the projected rows of the new events. @returns users whose balance could be compared */
  private async compareRows(
    accounts: ReadonlyMap<string, AccountState>,
    from: ReadonlyMap<string, number>,
  ): Promise<ReadonlySet<string>> {
    const { pool } = this.sources;
    const users = [...accounts.keys()];
    const { rows } = await pool.query<TransactionRow>(
      `select t.* from unnest($1::text[], $2::int[], $3::int[]) as wanted (user_id, after, until)
       join credit_transaction t on t.user_id = wanted.user_id and t.version > wanted.after and t.version <= wanted.until
       order by t.user_id, t.version`,
      [users, users.map((user) => from.get(user) ?? -1), users.map((user) => accounts.get(user)?.audit.version ?? -1)],
    );
    const lines = new Map(users.map((user): [string, TransactionRow[]] => [user, []]));
    for (const row of rows) lines.get(row.user_id)?.push(row);
    const balances = await this.balancesOf(users);
    const compared = new Set<string>();
    for (const [user, account] of accounts) {
      if (account.suspect) continue;
      account.compareLines(lines.get(user) ?? []);
      if (account.compareBalance(balances.get(user))) compared.add(user);
    }
    return compared;
  }

  private async balancesOf(users: readonly string[]): Promise<ReadonlyMap<string, BalanceRow>> {
    const { rows } = await this.sources.pool.query<BalanceRow>(
      'select * from credit_balance where user_id = any($1::text[])',
      [users],
    );
    return new Map(rows.map((row) => [row.user_id, row]));
  }

  /** Compares the generations, the checkouts and the acts of the new events. */
  private async compareRecords(accounts: readonly AccountState[]): Promise<void> {
    const { pool } = this.sources;
    const deductionIds = accounts.flatMap((account) => [...account.deductionIds]);
    const sessionIds = accounts.flatMap((account) => [...account.sessionIds]);
    const [charges, purchases, unmatched] = await Promise.all([
      chargesOf(pool, deductionIds.filter(isUuid), this.now()),
      purchasesOf(pool, sessionIds),
      eventsWithoutAct(
        pool,
        accounts.flatMap((account) => account.byAdmin),
      ),
    ]);
    const streamsWithoutAct = new Set(unmatched.map(({ stream }) => stream));
    const chargeOf = new Map(charges.map((charge) => [charge.deductionId, charge]));
    const purchaseOf = new Map(purchases.map((purchase) => [purchase.sessionId, purchase]));
    for (const account of accounts) {
      const { audit, userId } = account;
      if (streamsWithoutAct.has(accountStream(userId))) account.suspect = true;
      for (const id of account.deductionIds) {
        const deduction = audit.deductions.get(id);
        const charge = chargeOf.get(id);
        const agrees = charge
          ? charge.userId === userId && (isEndedLater(charge, deduction) || chargeMismatch(charge, deduction) === null)
          : deduction?.outcome === 'voided';
        if (!agrees) account.suspect = true;
      }
      for (const id of account.sessionIds) {
        const purchase = purchaseOf.get(id);
        if (purchase?.userId !== userId || purchaseMismatch(purchase, audit) !== null) account.suspect = true;
      }
    }
  }

  /** Compares balances that could not be compared before. */
  private async comparePending(): Promise<void> {
    const { pool } = this.sources;
    const { rows } = await pool.query<VerifiedRow>(
      `select user_id, version, state, pending_since from verified_account where pending_since is not null
       order by user_id limit $1`,
      [BALANCES_PER_RUN],
    );
    if (rows.length === 0) return;
    const balances = await this.balancesOf(rows.map((row) => row.user_id));
    const compared: string[] = [];
    const suspects: string[] = [];
    for (const { user_id: user, state, pending_since: since } of rows) {
      const account = new AccountState(user, state);
      const balance = balances.get(user);
      const isCompared = account.compareBalance(balance);
      // Next to much that is new, verification itself is behind the balance.
      const isAhead = this.stopsEarly && balance !== undefined && balance.version > account.audit.version;
      const isLate = !isAhead && since !== null && this.now().getTime() - since.getTime() > COMPARABLE_WITHIN_MS;
      if (account.suspect || (!isCompared && isLate)) suspects.push(user);
      else if (isCompared) compared.push(user);
    }
    await pool.query('update verified_account set pending_since = null where user_id = any($1::text[])', [compared]);
    await suspect(this.sources, suspects, new Map(rows.map((row) => [row.user_id, row])), this.now());
  }

  private checkCharges(verifiedUntil: Date): Promise<void> {
    return checkEndedCharges(this.sources, verifiedUntil, this.maxEvents, this.now());
  }

  /** Verifies suspect accounts completely: those that were never checked first. @returns their number */
  private async verifySuspects(): Promise<number> {
    const { pool } = this.sources;
    const { rows } = await pool.query<{ user_id: string }>(
      `select user_id from verified_account where state is null order by checked_at nulls first, user_id limit $1`,
      [COMPLETE_PER_RUN],
    );
    for (const { user_id: user } of rows) {
      const problems: LedgerProblem[] = [];
      const options = { now: this.now, onProblem: (problem: LedgerProblem) => problems.push(problem) };
      await verifyAccounts(this.sources, options, [user]);
      await replaceProblems(pool, user, problems, this.now());
      if (problems.length === 0) await this.fold(user);
      else await pool.query('update verified_account set checked_at = $2 where user_id = $1', [user, this.now()]);
    }
    return rows.length;
  }

  /** Folds an account without problems again, up to the last verified event. */
  private async fold(user: string): Promise<void> {
    const { pool, eventStore } = this.sources;
    const account = new AccountState(user, null);
    for await (const event of eventsOf(eventStore, accountStream(user))) {
      if (this.position === null || eventStore.comparePositions(event.position, this.position) > 0) break;
      account.fold(event);
    }
    account.end();
    const { version } = account.audit;
    // A problem that shows only now is found by the next complete verification.
    const state = account.suspect ? null : account.save();
    await saveAccounts(pool, [{ user_id: user, version, state, pending_since: null }]);
  }
}

/** The credits end with an event that is not verified yet. The comparison of ended charges finds one without an end. */
function isEndedLater({ state }: Charge, deduction: DeductionRecord | undefined): boolean {
  return (state === 'delivered' || state === 'returned') && deduction?.outcome === 'open';
}
