import { type Pool } from 'pg';
import { PAYOUT_STREAM_PREFIX, PROCESSOR_STREAM } from '../../finance/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { eventAt } from '../verify/read-account.js';
import { verifyStreams } from '../verify/verify-ledger.js';
import { type ContinuousSources } from './check-whole-ledger.js';
import { type LedgerProblem } from '../verify/account-audit.js';
import { saveRewritten, type VerifiedHead } from './rewritten.js';
import { replaceProblems } from './verification-store.js';

/** Events of one prefix that one run reads. The next run continues. */
const PAGE = 1_000;
/** Streams with known problems that one run verifies again. */
const AGAIN = 20;
/** Beginnings of the names of streams that are no accounts. */
const PREFIXES = [PAYOUT_STREAM_PREFIX, PROCESSOR_STREAM] as const;

/** How far the streams with a prefix are verified. */
interface Progress {
  readonly position: string;
  /** The event at that position. */
  readonly stream: string;
  readonly version: number;
  readonly event_id: string;
}

/**
 * Verifies each stream of payouts, and that of the processor, completely when it has new events: they are short, or new
 * once an hour. Compares the last event that was verified before with the one that is there now. Streams with a known
 * problem are verified again.
 * @returns when the first event was recorded that is not verified; null when there is none
 */
export async function checkStreams(sources: ContinuousSources, now: () => Date): Promise<Date | null> {
  let unverified: Date | null = null;
  for (const prefix of PREFIXES) {
    const left = await checkPrefix(sources, prefix, now);
    if (left && (!unverified || left < unverified)) unverified = left;
  }
  return unverified;
}

async function checkPrefix(sources: ContinuousSources, prefix: string, now: () => Date): Promise<Date | null> {
  const { pool, eventStore } = sources;
  const after = await positionOf(sources, prefix);
  const page = await eventStore.readAll({ after, limit: PAGE + 1, streamPrefix: prefix });
  const events = page.slice(0, PAGE);
  const streams = new Set(events.map(({ stream }) => stream));
  for (const stream of await streamsWithProblems(pool, prefix)) streams.add(stream);
  const changed = [...streams].sort();
  if (changed.length === 0) return null;
  await findRewritten(sources, changed, now());
  const problems = new Map(changed.map((stream): [string, LedgerProblem[]] => [stream, []]));
  await verifyStreams(
    sources,
    {
      now,
      onProblem: (problem) => void (problems.get(problem.stream) ?? problems.get(changed[0] ?? ''))?.push(problem),
    },
    changed,
  );
  for (const [stream, found] of problems) await replaceProblems(pool, stream, found, now());
  await saveHeads(sources, changed);
  const last = events.at(-1);
  if (last) await savePosition(pool, prefix, last);
  return page[PAGE]?.recordedAt ?? null;
}

/** Null: from the first event; also when the last verified event is gone, because the store is another one. */
async function positionOf({ pool, eventStore }: ContinuousSources, prefix: string): Promise<string | null> {
  const { rows } = await pool.query<Progress>(
    'select position, stream, version, event_id from verified_prefix where prefix = $1',
    [prefix],
  );
  const [known] = rows;
  if (!known) return null;
  const found = await eventAt(eventStore, known.stream, known.version);
  return found?.id === known.event_id && found.position === known.position ? known.position : null;
}

async function savePosition(pool: Pool, prefix: string, { position, stream, version, id }: StoredEvent): Promise<void> {
  await pool.query(
    `insert into verified_prefix (prefix, position, stream, version, event_id) values ($1, $2, $3, $4, $5)
     on conflict (prefix) do update set position = excluded.position, stream = excluded.stream,
       version = excluded.version, event_id = excluded.event_id`,
    [prefix, position, stream, version, id],
  );
}

async function streamsWithProblems(pool: Pool, prefix: string): Promise<string[]> {
  const { rows } = await pool.query<{ subject: string }>(
    `select distinct subject from ledger_problem where starts_with(subject, $1) order by subject limit $2`,
    [prefix, AGAIN],
  );
  return rows.map(({ subject }) => subject);
}

/** Stores a problem for each stream whose last verified event is gone or another one. */
async function findRewritten(sources: ContinuousSources, streams: readonly string[], now: Date): Promise<void> {
  const { rows } = await sources.pool.query<VerifiedHead>(
    'select stream as subject, stream, version, head from verified_stream where stream = any($1::text[])',
    [streams],
  );
  for (const verified of rows) await saveRewritten(sources, verified, now);
}

async function saveHeads({ pool, eventStore }: ContinuousSources, streams: readonly string[]): Promise<void> {
  const heads = await eventStore.lastEvents(streams);
  await pool.query(
    `insert into verified_stream (stream, version, head) select * from unnest($1::text[], $2::int[], $3::text[])
     on conflict (stream) do update set version = excluded.version, head = excluded.head`,
    [
      heads.map(({ stream }) => stream),
      heads.map(({ version }) => version),
      heads.map(({ metadata }) => metadata['hash'] ?? null),
    ],
  );
}
