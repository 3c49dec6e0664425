import { type Pool } from 'pg';

/**
 * Lists names of streams in byte order, a page at a time, for the Postgres adapter's `EventStore.streams`. A loose
 * index scan: its cost does not depend on the number of events in a stream.
 * @param prefix plain ASCII, not empty
 * @param after the last name of the page before; null for the first page
 */
export async function listStreams(pool: Pool, prefix: string, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ stream: string }>(
    `with recursive found (stream) as (
       (select stream from event where stream > $1 and stream < $2 order by stream limit 1)
       union all
       select (select e.stream from event e where e.stream > found.stream and e.stream < $2 order by e.stream limit 1)
       from found where found.stream is not null
     )
     select stream from found where stream is not null limit $3`,
    [after ?? prefix, endOfPrefix(prefix), limit],
  );
  return rows.map(({ stream }) => stream);
}

/** Returns those of these streams that have no event. */
export async function missingStreams(pool: Pool, streams: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ stream: string }>(
    `select stream from unnest($1::text[]) as wanted (stream)
     where not exists (select 1 from event e where e.stream = wanted.stream)`,
    [streams],
  );
  return rows.map(({ stream }) => stream);
}

/** The first name in byte order that sorts after every name with this prefix. */
function endOfPrefix(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
