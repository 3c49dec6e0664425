import { type Pool } from 'pg';
import { userOfStream } from '../../credits/index.js';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { eventsIfAny } from '../../platform/event-store/read-events.js';
import { type SealedHead } from '../seals/seal-file.js';
import { SealedStream } from '../seals/sealed-stream.js';
import { AccountAudit, type LedgerProblem } from './account-audit.js';
import { needsClaim, usersWithClaim } from './bonus-claims.js';
import { purchaseMismatch, purchasePages } from './checkout-purchases.js';
import { type RepairedClock } from './event-times.js';
import {
  type Charge,
  chargeMismatch,
  chargePages,
  chargesOf,
  contentMismatch,
  type ImageFiles,
  isUncovered,
} from './generation-charges.js';
import { type LedgerChecks } from './ledger-checks.js';
import type { ProblemReports, Report } from './problem-reports.js';
import { type AccountCheck } from './projection-check.js';
import { StreamReader } from './read-account.js';
import { RevenueAudit } from './revenue-audit.js';
import { VerifiedStream } from './verified-stream.js';

/** An account to verify, with the data that is read before its events. Plain data. */
export interface PlannedAccount {
  readonly stream: string;
  /** True when the event store lists the stream: it has events, or they were deleted. */
  readonly listed: boolean;
  /** Version of its projected balance; null when the projections do not know the account. */
  readonly projected: number | null;
  /** Its heads in the seals. Null for an account without a stream: seals report it already. */
  readonly heads: readonly SealedHead[] | null;
}

/** Counts of verified records. */
export interface VerifiedCounts {
  accounts: number;
  events: number;
  /** Generations compared with their deductions. */
  generations: number;
  /** Those of them that have not ended yet. */
  openGenerations: number;
  /** Delivered images whose settlement has no hash: it was made before there were some. */
  uncoveredImages: number;
  /** Checkout sessions compared with their purchases. */
  purchases: number;
  /** Events that the newest seal does not cover; 0 without seals. */
  unsealedEvents: number;
  /** Repairs of an account's time by admins. */
  repairs: number;
}

/** An account whose events were read. */
interface AuditedAccount {
  readonly audit: AccountAudit;
  readonly report: Report;
  readonly listed: boolean;
  readonly known: boolean;
}

/** Verifies groups of accounts. What concerns several accounts is collected in its checks. */
export class AccountVerifier {
  readonly counts: VerifiedCounts = {
    accounts: 0,
    events: 0,
    generations: 0,
    openGenerations: 0,
    uncoveredImages: 0,
    purchases: 0,
    unsealedEvents: 0,
    repairs: 0,
  };

  constructor(
    private readonly sources: {
      readonly pool: Pool;
      readonly eventStore: EventStore;
      readonly images?: ImageFiles | null;
    },
    private readonly checks: LedgerChecks,
    private readonly reports: ProblemReports,
    private readonly options: { readonly now: () => Date; readonly onRepair?: (repair: RepairedClock) => void },
  ) {}

  /** Merges the events of a group of accounts with the projected rows, then compares generations and checkouts. */
  async verify(group: readonly PlannedAccount[]): Promise<void> {
    const streams = group.map(({ stream }) => stream);
    // Rows are read before events: concurrent writes can then only make the streams longer.
    const users = streams.map(userOfStream);
    const checks = await Promise.all(
      this.checks.projections.map(async (check) => ({
        begun: await check.begin(users),
        kind: check.kind ?? 'projection',
      })),
    );
    const accounts = new Map<string, AuditedAccount>();
    const events = new StreamReader(this.sources.eventStore, streams);
    for (const [index, planned] of group.entries()) {
      const { stream, listed, projected: version } = planned;
      const report = this.reports.for(stream);
      const audit = new AccountAudit(stream, report);
      const revenue = new RevenueAudit(userOfStream(stream), this.checks.cumulativeFrom);
      const projected = checks.map(({ begun, kind }) =>
        begun.account(index, { audit, revenue }, (version, sentence) =>
          report({ stream, version, kind, what: sentence }),
        ),
      );
      await this.readAccount(planned, events, { audit, report, projected });
      accounts.set(userOfStream(stream), { audit, report, listed, known: version !== null });
    }
    await this.verifyOtherRecords(accounts);
  }

  private async readAccount(
    { stream, heads }: PlannedAccount,
    events: StreamReader,
    { audit, projected, report }: { audit: AccountAudit; projected: readonly AccountCheck[]; report: Report },
  ): Promise<void> {
    const { imports, policy, acts, sealTimes, withoutEvents } = this.checks;
    const isImported = (version: number): boolean => imports.has(stream, version);
    const sealed = heads && new SealedStream(heads, sealTimes);
    const { eventStore } = this.sources;
    const verified = new VerifiedStream({ audit, eventStore, now: this.options.now, report, imports, sealed });
    while (await events.has(stream)) {
      for (const stored of events.run(stream)) {
        verified.add(stored);
        policy.add(stored);
        acts.add(stored, isImported);
        if (stored.type === 'ClockRepaired') this.addRepair(verified, stored.version);
        for (const check of projected) {
          const reading = check.add(stored);
          if (reading) await reading;
        }
      }
    }
    verified.end();
    if (audit.events === 0) withoutEvents.add(stream);
    this.counts.accounts += 1;
    this.counts.events += audit.events;
    this.counts.unsealedEvents += verified.unsealedEvents;
    for (const check of projected) await check.end();
  }

  /** An unreadable repair repairs nothing: the audit has not folded it. */
  private addRepair(verified: VerifiedStream<AccountAudit>, version: number): void {
    const repair = verified.audit.repairs.at(-1);
    if (repair?.version !== version) return;
    this.counts.repairs += 1;
    const repaired = verified.repair(repair);
    this.options.onRepair?.(repaired);
  }

  /**
   * Compares generations and checkouts. They are read after the events; a mismatch is checked again with newer events.
   */
  private async verifyOtherRecords(accounts: ReadonlyMap<string, AuditedAccount>): Promise<void> {
    const users = [...accounts.keys()];
    /** Users with a record that must be in the ledger. */
    const expected = new Set<string>();
    const unmatchedDeductions = new Map(
      [...accounts].map(([user, { audit }]) => [user, new Set(audit.deductions.keys())]),
    );
    for await (const page of chargePages(this.sources.pool, users, this.options.now)) {
      for (const charge of page) {
        unmatchedDeductions.get(charge.userId)?.delete(charge.deductionId);
        this.counts.generations += 1;
        if (charge.state === 'open' || charge.state === 'stuck') this.counts.openGenerations += 1;
        // A user whose first generation starts at this moment has no account yet. Tests need none.
        if (charge.state !== 'open' && !charge.isTest) expected.add(charge.userId);
        await this.compare(accounts, charge.userId, 'generation', (audit) =>
          chargeMismatch(charge, audit.deductions.get(charge.deductionId), audit.repairs),
        );
        await this.compareContent(accounts.get(charge.userId), charge);
      }
    }
    const unmatchedPurchases = new Map(
      [...accounts].map(([user, { audit }]) => [user, new Set(audit.purchases.keys())]),
    );
    for await (const page of purchasePages(this.sources.pool, users)) {
      for (const purchase of page) {
        unmatchedPurchases.get(purchase.userId)?.delete(purchase.sessionId);
        this.counts.purchases += 1;
        if (purchase.state === 'fulfilled') expected.add(purchase.userId);
        await this.compare(accounts, purchase.userId, 'payment', (audit) => purchaseMismatch(purchase, audit));
      }
    }
    await this.findUnclaimed(accounts);
    for (const [user, { audit, report, listed, known }] of accounts) {
      const addProblem = (kind: LedgerProblem['kind'], sentence: string): void =>
        report({ stream: audit.stream, version: null, kind, what: sentence });
      for (const deductionId of unmatchedDeductions.get(user) ?? []) {
        if (audit.deductions.get(deductionId)?.outcome === 'voided') continue;
        addProblem('generation', `Credits were taken for ${deductionId}, which is no generation of this user.`);
      }
      for (const sessionId of unmatchedPurchases.get(user) ?? []) {
        addProblem('payment', `Credits were bought in ${sessionId}, which is no checkout session of this user.`);
      }
      if (audit.events === 0 && listed) {
        addProblem('version', 'The stream was deleted in the event store: all its events are missing.');
      } else if (audit.events === 0 && (known || expected.has(user))) {
        addProblem('version', 'The stream is missing: other records refer to the account, but it has no events.');
      }
    }
  }

  /** An image that was moved or erased meanwhile is read again. */
  private async compareContent(account: AuditedAccount | undefined, charge: Charge): Promise<void> {
    const deduction = account?.audit.deductions.get(charge.deductionId);
    if (isUncovered(charge, deduction)) this.counts.uncoveredImages += 1;
    const { images = null, pool } = this.sources;
    if (!account || (await contentMismatch(charge, deduction?.hashes, images)) === null) return;
    const [now] = await chargesOf(pool, [charge.deductionId], this.options.now());
    const sentence = now ? await contentMismatch(now, deduction?.hashes, images) : null;
    const { report, audit } = account;
    if (sentence !== null) report({ stream: audit.stream, version: null, kind: 'generation', what: sentence });
  }

  /** Reports sign-up bonuses without a claim. The app stores the claim before the event. */
  private async findUnclaimed(accounts: ReadonlyMap<string, AuditedAccount>): Promise<void> {
    const granted = [...accounts].filter(([, { audit }]) => needsClaim(audit, this.checks.claimsBegan));
    const claimed = await usersWithClaim(
      this.sources.pool,
      granted.map(([user]) => user),
    );
    for (const [user, { audit, report }] of granted) {
      if (claimed.has(user)) continue;
      const sentence = 'The sign-up bonus was granted without a claim.';
      report({ stream: audit.stream, version: null, kind: 'lot', what: sentence });
    }
  }

  /** Reports the mismatch of a record if it remains after newer events have been read. */
  private async compare(
    accounts: ReadonlyMap<string, AuditedAccount>,
    userId: string,
    kind: LedgerProblem['kind'],
    mismatch: (audit: AccountAudit) => string | null,
  ): Promise<void> {
    const account = accounts.get(userId);
    if (!account) throw new Error(`A record of ${userId} was read without a request.`);
    const { audit, report } = account;
    if (mismatch(audit) === null) return;
    if (audit.readable) {
      // The missing events of a deleted stream are a problem of their own.
      const newer = eventsIfAny(this.sources.eventStore, audit.stream, audit.version + 1);
      for await (const stored of newer) audit.add(stored);
    }
    const sentence = mismatch(audit);
    if (sentence !== null) report({ stream: audit.stream, version: null, kind, what: sentence });
  }
}
