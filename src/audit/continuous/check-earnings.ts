import { type Pool } from 'pg';
import { EARNINGS_STREAM_PREFIX, type EarningEvent } from '../../finance/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type LedgerProblem } from '../verify/account-audit.js';
import { EarningAudit } from '../verify/earning-audit.js';
import { compareEarningsOf } from '../verify/earnings-check.js';
import { verifyStreams } from '../verify/verify-ledger.js';
import { type ContinuousSources } from './check-whole-ledger.js';
import { replaceProblems } from './verification-store.js';
import {
  findRewritten,
  newEvents,
  saveVerified,
  savePosition,
  streamsWithProblems,
  verifiedHeads,
} from './verified-streams.js';

type Share = EarningEvent['data'];

/** A new record of a creator's stream. */
interface NewRecord {
  readonly creatorId: string;
  readonly share: Share;
}

/**
 * Verifies the new events of the streams of earnings, which are long: each from the last verified event on, and each
 * record against the lines of the books. A stream in which anything differs, or that has a known problem, is verified
 * completely. That a share is missing, or a copy of one that was verified before, is found by `verify`, and in a stream
 * that is verified completely: no index has the records by their amounts and times.
 * @returns when the first event was recorded that is not verified; null when there is none
 */
export async function checkEarnings(sources: ContinuousSources, now: () => Date): Promise<Date | null> {
  const { pool } = sources;
  const { events, leftSince } = await newEvents(sources, EARNINGS_STREAM_PREFIX);
  const suspects = new Set(await streamsWithProblems(pool, EARNINGS_STREAM_PREFIX));
  const audits = await auditNew(pool, events, suspects);
  for (const stream of suspects) await verifyCompletely(sources, stream, now);
  await saveVerified(pool, [...audits.values()]);
  const last = events.at(-1);
  if (last) await savePosition(pool, EARNINGS_STREAM_PREFIX, last);
  return leftSince;
}

/** Adds the streams in which anything differs to `suspects`. */
async function auditNew(
  pool: Pool,
  events: readonly StoredEvent[],
  suspects: Set<string>,
): Promise<ReadonlyMap<string, EarningAudit>> {
  const audits = new Map<string, EarningAudit>();
  const records: NewRecord[] = [];
  if (events.length === 0) return audits;
  const verified = await verifiedHeads(pool, [...new Set(events.map(({ stream }) => stream))]);
  const known = new Map(verified.map((head) => [head.stream, head]));
  for (const event of events) {
    const { stream } = event;
    let audit = audits.get(stream);
    if (!audit) {
      audit = new EarningAudit(stream, () => suspects.add(stream));
      const before = known.get(stream);
      if (before) [audit.version, audit.head] = [before.version, before.head];
      audits.set(stream, audit);
    }
    // A version that does not follow is a problem, so the stream is verified completely.
    audit.add(event);
    const { share } = audit;
    if (share && isComparable(share)) records.push({ creatorId: audit.creatorId, share });
    else suspects.add(stream);
  }
  const unbooked = await creatorsWithoutLines(pool, records);
  for (const [stream, { creatorId }] of audits) if (unbooked.has(creatorId)) suspects.add(stream);
  return audits;
}

/** Whether a share has the times and the cents that a line of the books can have. */
function isComparable({ cents, earnedAt, payableAt }: Share): boolean {
  return Number.isSafeInteger(cents) && [earnedAt, payableAt].every((at) => !Number.isNaN(Date.parse(at)));
}

async function verifyCompletely(sources: ContinuousSources, stream: string, now: () => Date): Promise<void> {
  await findRewritten(sources, [stream], now());
  const problems: LedgerProblem[] = [];
  const options = { now, onProblem: (problem: LedgerProblem) => void problems.push(problem) };
  await verifyStreams(sources, options, [stream]);
  await compareEarningsOf(sources, stream.slice(EARNINGS_STREAM_PREFIX.length), options);
  await replaceProblems(sources.pool, stream, problems, now());
}

/** The creators with more new records of the same cents and times than lines in the books. */
async function creatorsWithoutLines(pool: Pool, records: readonly NewRecord[]): Promise<ReadonlySet<string>> {
  if (records.length === 0) return new Set();
  const { rows } = await pool.query<{ creator_id: string }>(
    `select distinct wanted.creator_id from (
       select creator_id, earned_at, payable_at, cents, count(*) as records
       from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::bigint[])
         as record (creator_id, earned_at, payable_at, cents)
       group by creator_id, earned_at, payable_at, cents
     ) as wanted
     where wanted.records > (
       select count(*) from book_entry e
       where e.account = 2100 and e.creator_id = wanted.creator_id and e.occurred_at = wanted.earned_at
         and e.payable_at = wanted.payable_at and e.cents = -wanted.cents
     )`,
    [
      records.map(({ creatorId }) => creatorId),
      records.map(({ share }) => share.earnedAt),
      records.map(({ share }) => share.payableAt),
      records.map(({ share }) => share.cents),
    ],
  );
  return new Set(rows.map(({ creator_id: creatorId }) => creatorId));
}
