import { type Pool } from 'pg';
import { leafHash } from '../seals/merkle-root.js';
import { HASH_BYTES, type HashAt, type HashRange, type LogNode } from './tree-hashes.js';

/** The log cannot go on. The message is a sentence for the operator. */
export class LedgerLogError extends Error {
  override readonly name = 'LedgerLogError';
}

/** A leaf of the log: one event. */
export interface LogLeaf {
  /** From 0, without gaps. */
  readonly index: number;
  readonly eventId: string;
  readonly stream: string;
  readonly version: number;
  /** The event's chain hash: 32 bytes. It is the entry of the tree. */
  readonly hash: Buffer;
}

/** The columns of a leaf. */
const LEAF = 'index, event_id as "eventId", stream, version, hash';

/** The newest leaf; null while the log is empty. */
export async function lastLeaf(pool: Pool): Promise<LogLeaf | null> {
  const { rows } = await pool.query<LogLeaf>(`select ${LEAF} from log_leaf order by index desc limit 1`);
  return rows[0] ?? null;
}

/** The number of leaves: the size of the tree. */
export async function logSize(pool: Pool): Promise<number> {
  return ((await lastLeaf(pool))?.index ?? -1) + 1;
}

/** The last version of each of these streams that the log has; without those that it does not have. */
export async function loggedVersions(pool: Pool, streams: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ stream: string; version: number }>(
    `select wanted.stream, last.version from unnest($1::text[]) as wanted (stream) cross join lateral (
       select l.version from log_leaf l where l.stream = wanted.stream order by l.version desc limit 1) as last`,
    [streams],
  );
  return new Map(rows.map(({ stream, version }) => [stream, version]));
}

/**
 * Adds leaves and the nodes that they complete, in one statement.
 * @throws Error when another process added one of them (`23505`)
 */
export async function addLeaves(pool: Pool, leaves: readonly LogLeaf[], nodes: readonly LogNode[]): Promise<void> {
  await pool.query({
    name: 'log-add-leaves',
    text: `with leaves as (
        insert into log_leaf (index, event_id, stream, version, hash)
        select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::bigint[], $5::bytea[]))
      insert into log_node (level, index, hash, groups)
      select * from unnest($6::smallint[], $7::bigint[], $8::bytea[], $9::bytea[])`,
    values: [
      leaves.map(({ index }) => index),
      leaves.map(({ eventId }) => eventId),
      leaves.map(({ stream }) => stream),
      leaves.map(({ version }) => version),
      leaves.map(({ hash }) => hash),
      nodes.map(({ level }) => level),
      nodes.map(({ index }) => index),
      nodes.map(({ hash }) => hash),
      nodes.map(({ groups }) => groups),
    ],
  });
}

/** The entries of some leaves, in order. */
export async function readEntries(pool: Pool, { from, to }: Omit<HashRange, 'level'>): Promise<Buffer[]> {
  const { rows } = await pool.query<{ hash: Buffer }>(
    'select hash from log_leaf where index >= $1 and index < $2 order by index',
    [from, to],
  );
  return rows.map(({ hash }) => hash);
}

/** The hashes of a range as one value, because a row for each costs more than the proof. */
interface HashRun {
  readonly level: number;
  readonly low: number;
  readonly hashes: Buffer;
  /** Their indexes; null when none is missing. */
  readonly present: readonly number[] | null;
}

/** Reads hashes of the tree, in one statement. @throws LedgerLogError by the returned function, for a missing one */
export async function readHashes(pool: Pool, ranges: readonly HashRange[]): Promise<HashAt> {
  const { rows: runs } = await pool.query<HashRun>({
    name: 'log-read-hashes',
    text: `select wanted.level, wanted.low, coalesce(found.hashes, '') as hashes,
        case when found.count < wanted.high - wanted.low then coalesce(found.present, '{}') end as present
      from unnest($1::smallint[], $2::bigint[], $3::bigint[]) as wanted (level, low, high)
      cross join lateral (
        select string_agg(hash, ''::bytea order by index) as hashes, array_agg(index::float8 order by index) as present, count(*) as count from (
          select index, hash from log_leaf where wanted.level = 0 and index >= wanted.low and index < wanted.high
          union all
          select index, hash from log_node
          where wanted.level > 0 and level = wanted.level and index >= wanted.low and index < wanted.high
          order by index
        ) as each
      ) as found`,
    values: [ranges.map(({ level }) => level), ranges.map(({ from }) => from), ranges.map(({ to }) => to)],
  });
  return (level, index) => {
    for (const run of runs) {
      const nth = run.present ? run.present.indexOf(index) : index - run.low;
      if (run.level !== level || nth < 0 || (nth + 1) * HASH_BYTES > run.hashes.length) continue;
      const hash = run.hashes.subarray(nth * HASH_BYTES, (nth + 1) * HASH_BYTES);
      return level === 0 ? leafHash(hash) : hash;
    }
    throw new LedgerLogError(`The log lacks hash ${index} of level ${level}: its tables were changed.`);
  };
}

/** The hashes of tiles, or the entries of those of level 0, one after the other. Null without any. In one statement. */
export async function readTiles(pool: Pool, tiles: readonly HashRange[]): Promise<(Buffer | null)[]> {
  const { rows } = await pool.query<{ hashes: Buffer | null }>({
    name: 'log-read-tiles',
    text: `select case when wanted.level = 0
        then (select string_agg(hash, ''::bytea order by index) from log_leaf where index >= low and index < high)
        else (select string_agg(hash, ''::bytea order by index) from log_node n
              where n.level = wanted.level and index >= low and index < high)
        end as hashes
      from unnest($1::smallint[], $2::bigint[], $3::bigint[]) with ordinality as wanted (level, low, high, place)
      order by place`,
    values: [tiles.map(({ level }) => level), tiles.map(({ from }) => from), tiles.map(({ to }) => to)],
  });
  return rows.map(({ hashes }) => hashes);
}

/** A published checkpoint. */
interface StoredCheckpoint {
  readonly size: number;
  readonly note: string;
}

/** The checkpoint that was published last; null before the first. */
export async function lastCheckpoint(pool: Pool): Promise<StoredCheckpoint | null> {
  const { rows } = await pool.query<StoredCheckpoint>(
    'select size, note from log_checkpoint order by number desc limit 1',
  );
  return rows[0] ?? null;
}

/** Whether a checkpoint was published. */
export async function hasCheckpoint(pool: Pool): Promise<boolean> {
  return (await lastCheckpoint(pool)) !== null;
}

/** Publishes a checkpoint. */
export async function addCheckpoint(
  pool: Pool,
  { size, root, note, signedAt }: StoredCheckpoint & { readonly root: Buffer; readonly signedAt: Date },
): Promise<void> {
  await pool.query('insert into log_checkpoint (size, root, note, signed_at) values ($1, $2, $3, $4)', [
    ...[size, root, note, signedAt],
  ]);
}

/** The part of a full tile that proves one of its leaves. */
export interface LeafSurroundings {
  /** The entries of the leaf's group, one after the other. */
  readonly entries: Buffer;
  /** The tree hashes of the tile's groups, one after the other. */
  readonly groups: Buffer;
}

/** A leaf with the hashes around it, and a checkpoint. */
export interface CoveredLeaf {
  readonly leaf: LogLeaf & {
    /** Null when the checkpoint does not have the whole tile, or the node of the tile is missing. */
    readonly around: LeafSurroundings | null;
  };
  readonly checkpoint: StoredCheckpoint;
}

/** Joins the hashes around a leaf `l` when a checkpoint `c` has its whole tile. */
const AROUND = `
  left join lateral (
    select n.groups, (
        select coalesce(string_agg(g.hash, ''::bytea order by g.index), '') from log_leaf g
        where g.index >= l.index - l.index % 16 and g.index < l.index - l.index % 16 + 16) as entries
    from log_node n where n.level = 1 and n.index = l.index / 256 and (n.index + 1) * 256 <= c.size) as around on true`;

/** The leaf of an event, with the checkpoint that was published last; null without one of them. */
export async function leafWithCheckpoint(pool: Pool, eventId: string): Promise<CoveredLeaf | null> {
  const { rows } = await pool.query<CoveredRow>({
    name: 'log-leaf-of-event',
    text: `select ${LEAF}, c.*, around.* from log_leaf l
      cross join (select size, note from log_checkpoint order by number desc limit 1) as c ${AROUND}
      where l.event_id = $1`,
    values: [eventId],
  });
  return rows[0] ? coveredLeaf(rows[0]) : null;
}

/** The newest leaf of a stream that the last checkpoint has, with that checkpoint; null without one of them. */
export async function lastCoveredLeaf(pool: Pool, stream: string): Promise<CoveredLeaf | null> {
  const { rows } = await pool.query<CoveredRow>(
    `select ${LEAF}, c.*, around.* from (select size, note from log_checkpoint order by number desc limit 1) as c
     cross join lateral (
       select * from log_leaf where stream = $1 and index < c.size order by version desc limit 1) as l ${AROUND}`,
    [stream],
  );
  return rows[0] ? coveredLeaf(rows[0]) : null;
}

type CoveredRow = LogLeaf & StoredCheckpoint & (LeafSurroundings | { readonly [Name in keyof LeafSurroundings]: null });

function coveredLeaf({ size, note, entries, groups, ...leaf }: CoveredRow): CoveredLeaf {
  const around = entries && groups ? { entries, groups } : null;
  return { leaf: { ...leaf, around }, checkpoint: { size, note } };
}
