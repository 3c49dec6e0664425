import { type Pool } from 'pg';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { eventAt, textIn } from '../verify/read-account.js';
import { type ContinuousSources } from './check-whole-ledger.js';
import { replaceProblems, REWRITTEN } from './verification-store.js';

/** Events of one prefix that one run reads. The next run continues. */
const EVENTS_PER_RUN = 1_000;
/** Streams with known problems that one run verifies again. */
const STREAMS_AGAIN = 20;

/** The last event of a stream that was verified. */
interface VerifiedHead {
  readonly stream: string;
  readonly version: number;
  /** The hash of the event. */
  readonly head: string | null;
}

/** How far the streams with a prefix are verified. */
interface Progress {
  readonly position: string;
  /** The event at that position. */
  readonly stream: string;
  readonly version: number;
  readonly event_id: string;
}

/**
 * The events of these streams that are not verified, in the order of the store.
 * @returns `leftSince`: when the first event was recorded that a later run will read; null when there is none
 */
export async function newEvents(
  sources: ContinuousSources,
  prefix: string,
): Promise<{ readonly events: readonly StoredEvent[]; readonly leftSince: Date | null }> {
  const after = await positionOf(sources, prefix);
  const { eventStore } = sources;
  const events = await eventStore.readAll({ after, limit: EVENTS_PER_RUN, streamPrefix: prefix });
  const last = events.at(-1);
  // A short page is no end: a slow store answers with what it has.
  const rest = last ? await eventStore.readAll({ after: last.position, limit: 1, streamPrefix: prefix }) : [];
  return { events, leftSince: rest[0]?.recordedAt ?? null };
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

/** Stores that these streams are verified up to this event. */
export async function savePosition(
  pool: Pool,
  prefix: string,
  { position, stream, version, id }: StoredEvent,
): Promise<void> {
  await pool.query(
    `insert into verified_prefix (prefix, position, stream, version, event_id) values ($1, $2, $3, $4, $5)
     on conflict (prefix) do update set position = excluded.position, stream = excluded.stream,
       version = excluded.version, event_id = excluded.event_id`,
    [prefix, position, stream, version, id],
  );
}

/** Some streams with this prefix that have known problems: at random, so that each has its turn. */
export async function streamsWithProblems(pool: Pool, prefix: string): Promise<string[]> {
  const { rows } = await pool.query<{ subject: string }>(
    `select subject from ledger_problem where starts_with(subject, $1) group by subject order by random() limit $2`,
    [prefix, STREAMS_AGAIN],
  );
  return rows.map(({ subject }) => subject);
}

/** Stores a problem for each stream whose last verified event is gone or another one. */
export async function findRewritten(sources: ContinuousSources, streams: readonly string[], now: Date): Promise<void> {
  for (const head of await verifiedHeads(sources.pool, streams)) {
    await saveRewritten(sources, { ...head, subject: head.stream }, now);
  }
}

/**
 * Stores a problem when this event is gone or another one. It stays: a complete verification sees only the history as
 * it is now.
 * @param event `subject` names the stream among the stored problems
 */
export async function saveRewritten(
  { pool, eventStore }: ContinuousSources,
  { subject, stream, version, head }: VerifiedHead & { readonly subject: string },
  now: Date,
): Promise<void> {
  const found = await eventAt(eventStore, stream, version);
  if (found && found.metadata['hash'] === head) return;
  const sentence = 'Another event was verified here before: the history of the stream was rewritten since.';
  await replaceProblems(pool, `${REWRITTEN}${subject}`, [{ stream, version, kind: 'chain', what: sentence }], now);
}

/** The last verified events of these streams. */
export async function verifiedHeads(pool: Pool, streams: readonly string[]): Promise<VerifiedHead[]> {
  const { rows } = await pool.query<VerifiedHead>(
    'select stream, version, head from verified_stream where stream = any($1::text[])',
    [streams],
  );
  return rows;
}

/** Stores the last event of each stream as verified. */
export async function saveHeads({ pool, eventStore }: ContinuousSources, streams: readonly string[]): Promise<void> {
  const heads = await eventStore.lastEvents(streams);
  await saveVerified(
    pool,
    heads.map(({ stream, version, metadata: { hash } }) => ({ stream, version, head: textIn(hash) })),
  );
}

/** Stores these events as the last verified ones of their streams. */
export async function saveVerified(pool: Pool, heads: readonly VerifiedHead[]): Promise<void> {
  if (heads.length === 0) return;
  await pool.query(
    `insert into verified_stream (stream, version, head) select * from unnest($1::text[], $2::int[], $3::text[])
     on conflict (stream) do update set version = excluded.version, head = excluded.head`,
    [heads.map(({ stream }) => stream), heads.map(({ version }) => version), heads.map(({ head }) => head)],
  );
}
