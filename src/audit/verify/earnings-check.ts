import { hash as digest, randomBytes } from 'node:crypto';
import { accountStream } from '../../credits/index.js';
import { earningsStream, type EarningEvent, readEarningEvent } from '../../finance/index.js';
import type { BookEntryTable } from '../../finance/tables.js';
import { inPages } from '../../platform/database/in-pages.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { eventsIfAny } from '../../platform/event-store/read-events.js';
import { REPORTED_PER_STREAM, type Report } from './problem-reports.js';
import { eventAt, type LedgerStores, textOf, timeOf } from './read-account.js';

/** A running app records a share within seconds. One that is missing for this long is a problem. Milliseconds. */
const RECORDED_WITHIN_MS = 15 * 60_000;
/** Events whose shares are read at once. */
const EVENTS_PER_READ = 500;
const SHARE_ACCOUNT = 2100;

type Earned = EarningEvent['data'];
type ShareLine = Pick<BookEntryTable, 'account' | 'creator_id' | 'reversal_id' | 'cents' | 'payable_at'>;

/** Some shares of a creator: their number, and the sum of their digests, so that their order makes no difference. */
interface ShareSum {
  count: number;
  digests: bigint;
}

/** Settings of the checks of another thread. Plain data. */
export interface EarningsScope {
  readonly key: string;
  readonly until: number;
}

/** The shares that the events of accounts have made. Plain data. */
export interface EarningsPart {
  readonly old: ReadonlyMap<string, ShareSum>;
  readonly young: ReadonlyMap<string, ShareSum>;
  readonly complete: boolean;
}

/**
 * Compares the streams of creators' earnings with the shares that the events of accounts make. It keeps one sum of
 * digests for each creator, so its memory does not depend on the number of shares. The digests have a random key, so
 * records cannot be chosen to have the sum of others. Only when the sums of a creator differ are the shares of this
 * creator compared one by one, to name those that do.
 */
export class EarningsCheck {
  /** Shares up to `until` that must be recorded. */
  private readonly old = new Map<string, ShareSum>();
  /** Shares up to `until` of events that were stored after it, such as those of an import: they may be recorded. */
  private readonly young = new Map<string, ShareSum>();
  private readonly recorded = new Map<string, ShareSum>();
  /** False once the shares of an account cannot be computed. */
  private complete = true;

  /** @param scope shares that were earned after `until` (epoch milliseconds) are not compared */
  constructor(readonly scope: EarningsScope) {}

  static open(now: () => Date): EarningsCheck {
    return new EarningsCheck({ key: randomBytes(32).toString('hex'), until: now().getTime() - RECORDED_WITHIN_MS });
  }

  /** Adds the lines of the books that the audit has computed of an event. */
  addLines(stored: StoredEvent, lines: readonly ShareLine[]): void {
    if (timeOf(stored) > this.scope.until) return;
    const isYoung = stored.recordedAt.getTime() > this.scope.until;
    for (const [creatorId, share] of sharesIn(stored, lines))
      this.add(isYoung ? this.young : this.old, creatorId, share);
  }

  /** The shares of an account cannot be computed, so nothing can be compared. */
  giveUp(): void {
    this.complete = false;
  }

  /** Adds a record of a creator's stream. @param share null for one that cannot be read */
  addRecord(creatorId: string, share: Earned | null): void {
    if (share && Date.parse(share.earnedAt) <= this.scope.until) this.add(this.recorded, creatorId, share);
  }

  part(): EarningsPart {
    return { old: this.old, young: this.young, complete: this.complete };
  }

  /** Adds the results of another thread. */
  merge({ old, young, complete }: EarningsPart): void {
    this.complete &&= complete;
    for (const [into, sums] of [[this.old, old] as const, [this.young, young] as const]) {
      for (const [creatorId, { count, digests }] of sums) {
        const sum = sumIn(into, creatorId);
        sum.count += count;
        sum.digests += digests;
      }
    }
  }

  /** Names the differences. Called once, after all accounts and streams of earnings. */
  async end(sources: LedgerStores, reporterFor: (stream: string) => Report): Promise<void> {
    if (!this.complete) {
      const sentence = 'The earnings of creators cannot be compared: the events of an account cannot be read.';
      reporterFor('*')({ stream: '*', version: null, kind: 'earning', what: sentence });
      return;
    }
    for (const creatorId of new Set([...this.old.keys(), ...this.young.keys(), ...this.recorded.keys()])) {
      const old = sumIn(this.old, creatorId);
      const all = plus(old, sumIn(this.young, creatorId));
      const recorded = sumIn(this.recorded, creatorId);
      if (isSame(recorded, old) || isSame(recorded, all)) continue;
      const stream = earningsStream(creatorId);
      const report = reporterFor(stream);
      const comparison = new ShareComparison(sources, creatorId, this.scope.until, (version, sentence) =>
        report({ stream, version, kind: 'earning', what: sentence }),
      );
      const booked: ShareSum = { count: 0, digests: 0n };
      await comparison.run((share) => this.addTo(booked, creatorId, share));
      if (comparison.problems > 0 || isSame(booked, all)) continue;
      // The differences of the books themselves have been reported.
      const sentence = 'The records are not those of the shares that the events make, and the books have other shares.';
      report({ stream, version: null, kind: 'earning', what: sentence });
    }
  }

  private add(sums: Map<string, ShareSum>, creatorId: string, share: Earned): void {
    this.addTo(sumIn(sums, creatorId), creatorId, share);
  }

  private addTo(sum: ShareSum, creatorId: string, share: Earned): void {
    sum.count += 1;
    sum.digests += BigInt(`0x${digest('sha256', `${this.scope.key} ${creatorId} ${shareText(share)}`)}`);
  }
}

/**
 * Compares the records of one creator with the shares in the books, one by one, both up to 15 minutes ago.
 * @param onProblem receives each difference
 */
export async function compareEarningsOf(
  sources: LedgerStores,
  creatorId: string,
  options: { readonly now: () => Date; readonly onProblem: Report },
): Promise<void> {
  const stream = earningsStream(creatorId);
  const until = options.now().getTime() - RECORDED_WITHIN_MS;
  await new ShareComparison(sources, creatorId, until, (version, sentence) =>
    options.onProblem({ stream, version, kind: 'earning', what: sentence }),
  ).run(() => undefined);
}

/** The lines of account 2100 that one event has in the books. */
interface BookedShares {
  readonly user_id: string;
  readonly version: number;
  readonly lines: readonly ShareLine[];
}

interface BookedRow extends BookedShares {
  /** Time of the event, as Postgres writes it. */
  readonly at: string;
  readonly lines: readonly (ShareLine & { readonly payable: number })[];
}

/** Compares the records of one creator with the shares in the books, one by one. */
class ShareComparison {
  problems = 0;

  constructor(
    private readonly sources: LedgerStores,
    private readonly creatorId: string,
    private readonly until: number,
    private readonly onDifference: (version: number | null, sentence: string) => void,
  ) {}

  /** @param onShare receives each share in the books up to `until`, unless too many problems were found before */
  async run(onShare: (share: Earned) => void): Promise<void> {
    const records = await this.records();
    for await (const { user_id: userId, version, lines } of this.booked()) {
      if (this.problems > REPORTED_PER_STREAM) return;
      const source = await eventAt(this.sources.eventStore, accountStream(userId), version);
      if (!source) continue;
      const isDue = Math.max(timeOf(source), source.recordedAt.getTime()) <= this.until;
      for (const [creatorId, share] of sharesIn(source, lines)) {
        if (creatorId !== this.creatorId) continue;
        if (timeOf(source) <= this.until) onShare(share);
        const found = records.get(share.reference);
        records.delete(share.reference);
        if (!found && isDue) this.report(null, `The share of event ${version} of ${source.stream} is not recorded.`);
        if (found) this.compare(found, share);
      }
    }
    for (const { version } of records.values()) this.report(version, 'No event of an account makes this share.');
  }

  private async records(): Promise<Map<string, { readonly version: number; readonly share: Earned }>> {
    const records = new Map<string, { version: number; share: Earned }>();
    const { eventStore } = this.sources;
    for await (const stored of eventsIfAny(eventStore, earningsStream(this.creatorId))) {
      const share = recordIn(stored);
      if (!share) continue;
      const { version } = stored;
      if (records.has(share.reference)) this.report(version, 'The share is recorded a second time.');
      else records.set(share.reference, { version, share });
    }
    return records;
  }

  /** The shares of each event with a share of this creator, by the index of its lines. */
  private async *booked(): AsyncGenerator<BookedShares> {
    const pages = inPages<BookedRow>(EVENTS_PER_READ, async (after, limit) => {
      const { rows } = await this.sources.pool.query<BookedRow>(
        `select page.occurred_at::text as at, page.user_id, page.version, json_agg(json_build_object(
             'account', e.account, 'creator_id', e.creator_id, 'reversal_id', e.reversal_id, 'cents', e.cents,
             'payable', (extract(epoch from e.payable_at) * 1000)::float8)) as lines
         from (
           select distinct occurred_at, user_id, version from book_entry
           where account = 2100 and creator_id = $1
             and ($2::text is null or (occurred_at, user_id, version) > ($2::timestamptz, $3::text, $4::integer))
           order by occurred_at, user_id, version limit $5
         ) as page join book_entry e on e.user_id = page.user_id and e.version = page.version and e.account = 2100
         group by page.occurred_at, page.user_id, page.version order by page.occurred_at, page.user_id, page.version`,
        [this.creatorId, after?.at ?? null, after?.user_id ?? '', after?.version ?? 0, limit],
      );
      return rows;
    });
    for await (const rows of pages) {
      for (const { user_id, version, lines } of rows) {
        yield { user_id, version, lines: lines.map((line) => ({ ...line, payable_at: new Date(line.payable) })) };
      }
    }
  }

  private compare({ version, share }: { readonly version: number; readonly share: Earned }, expected: Earned): void {
    for (const field of ['kind', 'cents', 'earnedAt', 'payableAt'] as const) {
      if (share[field] === expected[field]) continue;
      this.report(version, `The record has ${field} ${share[field]}, but the events give ${expected[field]}.`);
    }
  }

  private report(version: number | null, sentence: string): void {
    this.problems += 1;
    this.onDifference(version, sentence);
  }
}

/** The shares that an event of an account makes, with their creators. It follows docs/events.md. */
function* sharesIn(source: StoredEvent, lines: readonly ShareLine[]): Generator<[creatorId: string, share: Earned]> {
  const shares: { creatorId: string; share: Omit<Earned, 'reference'>; order: string }[] = [];
  for (const { account, creator_id: creatorId, reversal_id: reversal, cents, payable_at: payable } of lines) {
    if (account !== SHARE_ACCOUNT || cents === 0) continue;
    const kind = reversal === null ? 'earning' : cents < 0 ? 'restoration' : 'correction';
    const times = { earnedAt: textOf(timeOf(source)), payableAt: textOf(Number(payable)) };
    const share = { schemaVersion: 1 as const, kind, cents: 0 - cents, ...times } as const;
    shares.push({ creatorId: creatorId ?? '', share, order: `${creatorId} ${kind} ${times.payableAt} ${share.cents}` });
  }
  if (shares.length > 1) shares.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
  for (const [index, { creatorId, share }] of shares.entries()) {
    yield [creatorId, { ...share, reference: digest('sha256', `${source.id} ${index}`) }];
  }
}

function shareText({ reference, kind, cents, earnedAt, payableAt }: Earned): string {
  return `${reference} ${kind} ${cents} ${earnedAt} ${payableAt}`;
}

/** Null for an event that cannot be read, which the audit of the stream has reported. */
function recordIn(stored: StoredEvent): Earned | null {
  try {
    return readEarningEvent(stored).data;
  } catch {
    return null;
  }
}

function sumIn(sums: Map<string, ShareSum>, creatorId: string): ShareSum {
  let sum = sums.get(creatorId);
  if (!sum) sums.set(creatorId, (sum = { count: 0, digests: 0n }));
  return sum;
}

function plus(a: ShareSum, b: ShareSum): ShareSum {
  return { count: a.count + b.count, digests: a.digests + b.digests };
}

function isSame(a: ShareSum, b: ShareSum): boolean {
  return a.count === b.count && a.digests === b.digests;
}
