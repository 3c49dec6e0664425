import { hash as digest, type KeyObject } from 'node:crypto';
import { type Pool } from 'pg';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { eventsIfAny } from '../../platform/event-store/read-events.js';
import { openCheckpoint } from '../log/checkpoint.js';
import { ACCOUNT_STREAMS, type LeafCheck, LeafPages, streamsOfLog } from './leaf-check.js';
import { type LedgerStores } from './read-account.js';
import { ACCOUNTS, kindOf, STREAM_KINDS, streamsOf } from './stream-kinds.js';
import { type Report } from './problem-reports.js';

/** Rows read at once. */
const ROWS_PER_READ = 5000;
/** Bytes of a SHA-256. */
const HASH_BYTES = 32;
/** Nodes read at once: a tenth, because each has the hashes of its groups. */
const NODE_PAGE = 500;
/** Levels of the tree between two levels of tiles. */
const TILE_LEVELS = 8;
/** Levels of the tree in a group of a tile. */
const GROUP_LEVELS = 4;

/** The public log in problems, in place of a stream. */
const PUBLIC_LOG = 'log';

/** A signed checkpoint that was kept outside the database. */
export interface KeptCheckpoint {
  readonly note: string;
  /** Where it was kept, for messages. */
  readonly location: string;
}

/** Leaves and checkpoints that the audit of the log has seen. */
export interface LogSummary {
  leaves: number;
  checkpoints: number;
}

interface LogSources extends LedgerStores {
  /** Trusted public keys. Undefined: signatures are not checked. */
  readonly keys: readonly KeyObject[] | undefined;
  /** Checkpoints that the log must continue. */
  readonly kept: readonly KeptCheckpoint[];
}

/**
 * Verifies the public log except for the leaves of accounts (see `LeafCheck`): numbers without gaps, the stored nodes,
 * the root and the signature of every checkpoint, the kept checkpoints, and the leaves of other streams. It computes
 * the tree with code of its own. Memory does not depend on the number of leaves.
 */
export async function verifyLog(
  { pool, eventStore, keys, kept }: LogSources,
  leafCheck: LeafCheck,
  reporterFor: (stream: string) => Report,
): Promise<LogSummary> {
  await verifyOtherStreams(pool, eventStore, leafCheck, reporterFor);
  const report = reporterFor(PUBLIC_LOG);
  const complain = (sentence: string): void =>
    report({ stream: PUBLIC_LOG, version: null, kind: 'log', what: sentence });
  const open = kept.flatMap(({ note, location }) => {
    const found = openCheckpoint(note, keys ?? []);
    if (!found) complain(`No trusted key has signed the checkpoint in ${location}.`);
    return found ? [{ ...found, location }] : [];
  });
  const waiting = open.sort((a, b) => a.size - b.size);
  const published = new CheckpointRows(pool, await lastNumber(pool), keys, complain);
  const nodes = new NodeRows(pool, complain);
  const tree = new LogTree();
  const compareRoots = async (): Promise<void> => {
    await published.compare(tree);
    for (; waiting[0]?.size === tree.size; waiting.shift()) {
      const { root, location, size } = waiting[0];
      if (root.equals(tree.root())) continue;
      complain(`The first ${size} leaves of the log are not those of the checkpoint in ${location}.`);
    }
  };
  await compareRoots();
  for (let leaves = ROWS_PER_READ; leaves === ROWS_PER_READ;) {
    const page = await readLeaves(pool, tree.size);
    ({ leaves } = page);
    const hashes = page.hashes.toString('latin1');
    for (let at = 0; at < leaves; at += 1) {
      const index = page.indexes ? Number(page.indexes[at]) : tree.size;
      if (index !== tree.size) complain(`Leaf ${tree.size} of the log is missing: leaf ${index} follows.`);
      if (index !== tree.size) return { leaves: tree.size, checkpoints: published.compared };
      const hash = hashes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES);
      for (const node of tree.add(hash)) await nodes.compare(node);
      if (tree.size === published.next || tree.size === waiting[0]?.size) await compareRoots();
    }
  }
  for (const { size, location } of waiting) {
    complain(`The log has ${tree.size} leaves, but the checkpoint in ${location} has ${size}: leaves are lost.`);
  }
  await published.end(tree.size);
  return { leaves: tree.size, checkpoints: published.compared };
}

/** Some leaves of the log in order. */
interface LeafHashes {
  readonly leaves: number;
  /** One after the other. */
  readonly hashes: Buffer;
  /** Null when no leaf is missing before or among them. */
  readonly indexes: readonly string[] | null;
}

/** Reads the next leaves as one value: rows would take longer than their hashes. */
async function readLeaves(pool: Pool, from: number): Promise<LeafHashes> {
  const { rows } = await pool.query<LeafHashes>(
    `select count(*)::int as leaves, coalesce(string_agg(hash, '' order by index), '') as hashes,
       case when min(index) <> $1 or max(index) - min(index) >= count(*)
         then array_agg(index::text order by index) end as indexes
     from (select index, hash from log_leaf where index >= $1 order by index limit $2) as page`,
    [from, ROWS_PER_READ],
  );
  return rows[0] ?? { leaves: 0, hashes: Buffer.alloc(0), indexes: null };
}

/** Compares the leaves of all streams that are no accounts. */
async function verifyOtherStreams(
  pool: Pool,
  eventStore: EventStore,
  leafCheck: LeafCheck,
  reporterFor: (stream: string) => Report,
): Promise<void> {
  const others = new Set<string>();
  const { from, before } = ACCOUNT_STREAMS;
  for (const range of [{ before: from }, { from: before }]) {
    for await (const streams of streamsOfLog(pool, range)) for (const stream of streams) others.add(stream);
  }
  for (const kind of STREAM_KINDS.filter((each) => each !== ACCOUNTS)) {
    for await (const streams of streamsOf(eventStore, kind)) for (const stream of streams) others.add(stream);
  }
  for (const stream of others) {
    const report = reporterFor(stream);
    const onDifference = (version: number | null, sentence: string): void =>
      report({ stream, version, kind: 'log', what: sentence });
    if (!kindOf(stream)) {
      onDifference(null, 'The public log has leaves of this stream, which does not belong to the ledger.');
      continue;
    }
    const comparison = leafCheck.stream(stream, { leaves: new LeafPages(pool, [stream]), index: 0 }, onDifference);
    for await (const stored of eventsIfAny(eventStore, stream)) await comparison.add(stored);
    await comparison.end();
  }
}

interface TreeNode {
  readonly level: number;
  readonly index: number;
  readonly hash: Buffer;
  /** The tree hashes of the 16 groups of the tile, one after the other. */
  readonly groups: Buffer;
}

/**
 * The tree of RFC 6962, leaf by leaf. Keeps the hash of each complete subtree at its end, by the level. Hashes are
 * texts with one character for each byte: a digest as such a text takes a third of the time of a buffer.
 */
class LogTree {
  size = 0;
  private readonly peaks: (string | undefined)[] = [];
  /** The hashes of the complete groups of the tile at the end of each level of tiles. */
  private readonly groups: string[] = [];

  /** @returns the nodes of the tiles that the leaf completes */
  add(entry: string): TreeNode[] {
    const nodes: TreeNode[] = [];
    let hash = leafHash(entry);
    let level = 0;
    for (let peak = this.peaks[0]; peak !== undefined; peak = this.peaks[level]) {
      hash = innerHash(peak, hash);
      this.peaks[level] = undefined;
      level += 1;
      const tile = Math.floor(level / TILE_LEVELS);
      if (level % TILE_LEVELS === GROUP_LEVELS) this.groups[tile] = (this.groups[tile] ?? '') + hash;
      if (level % TILE_LEVELS === 0) {
        const index = Math.floor(this.size / 2 ** level);
        const groups = this.groups[tile - 1] ?? '';
        this.groups[tile - 1] = '';
        nodes.push({ level: tile, index, hash: Buffer.from(hash, 'latin1'), groups: Buffer.from(groups, 'latin1') });
      }
    }
    this.peaks[level] = hash;
    this.size += 1;
    return nodes;
  }

  root(): Buffer {
    let root: string | null = null;
    for (const peak of this.peaks) if (peak !== undefined) root = root === null ? peak : innerHash(peak, root);
    return Buffer.from(root ?? digest('sha256', '', 'binary'), 'latin1');
  }
}

/** Hold what is hashed, behind the byte of its kind: a new buffer for each hash takes as long as the hash. */
const leaf = Buffer.alloc(1 + HASH_BYTES, 0);
const inner = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

function leafHash(entry: string): string {
  // A forged entry may be shorter, and what the last one left must not complete it.
  if (entry.length !== HASH_BYTES) return digest('sha256', Buffer.from(`\0${entry}`, 'latin1'), 'binary');
  leaf.write(entry, 1, 'latin1');
  return digest('sha256', leaf, 'binary');
}

function innerHash(left: string, right: string): string {
  inner.write(left, 1, 'latin1');
  inner.write(right, 1 + HASH_BYTES, 'latin1');
  return digest('sha256', inner, 'binary');
}

/** Reads the stored nodes of each level in order and compares them with those of the leaves. */
class NodeRows {
  private readonly levels = new Map<number, TreeNode[]>();

  constructor(
    private readonly pool: Pool,
    private readonly complain: (sentence: string) => void,
  ) {}

  async compare({ level, index, hash, groups }: TreeNode): Promise<void> {
    let page = this.levels.get(level) ?? [];
    if (page.length === 0) {
      const { rows } = await this.pool.query<TreeNode>(
        'select level, index, hash, groups from log_node where level = $1 and index >= $2 order by index limit $3',
        [level, index, NODE_PAGE],
      );
      page = rows.reverse();
      this.levels.set(level, page);
    }
    if (page.at(-1)?.index !== index) {
      this.complain(`Node ${index} of level ${level} is missing: the log cannot serve this tile.`);
      return;
    }
    const stored = page.pop();
    if (!stored?.hash.equals(hash)) {
      this.complain(`Node ${index} of level ${level} of the log has another hash than its leaves give.`);
    }
    if (!stored?.groups.equals(groups)) {
      this.complain(`Node ${index} of level ${level} of the log has other hashes of groups than its leaves give.`);
    }
  }
}

interface CheckpointRow {
  readonly number: number;
  readonly size: number;
  readonly root: Buffer;
  readonly note: string;
}

/** The number of the last checkpoint; 0 before the first. */
async function lastNumber(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ last: number | null }>('select max(number) as last from log_checkpoint');
  return rows[0]?.last ?? 0;
}

/** Reads the published checkpoints in order and compares each with the tree of its size. */
class CheckpointRows {
  compared = 0;
  private page: CheckpointRow[] | null = null;
  private readTo = 0;
  private largest = 0;

  constructor(
    private readonly pool: Pool,
    private readonly last: number,
    private readonly keys: readonly KeyObject[] | undefined,
    private readonly complain: (sentence: string) => void,
  ) {}

  /** The size of the next checkpoint; undefined after the last one. */
  get next(): number | undefined {
    return this.page?.at(-1)?.size;
  }

  /** Compares all checkpoints up to the size of the tree. */
  async compare(tree: LogTree): Promise<void> {
    for (let row = await this.peek(); row && row.size <= tree.size; row = await this.peek()) {
      this.page?.pop();
      this.compareRow(row, tree);
    }
  }

  /** Reports the checkpoints that cover more than the log has. */
  async end(leaves: number): Promise<void> {
    for (let row = await this.peek(); row; row = await this.peek()) {
      this.page?.pop();
      this.complain(`The log has ${leaves} leaves, but checkpoint ${row.number} covers ${row.size}: leaves are lost.`);
    }
  }

  private compareRow({ number, size, root, note }: CheckpointRow, tree: LogTree): void {
    this.compared += 1;
    if (this.keys) this.compareNote({ number, size, root, note }, this.keys);
    if (size < this.largest) this.complain(`Checkpoint ${number} covers less than an earlier one.`);
    else if (!root.equals(tree.root())) {
      this.complain(`The first ${size} leaves of the log have another root than checkpoint ${number}.`);
    }
    this.largest = Math.max(this.largest, size);
  }

  private compareNote({ number, size, root, note }: CheckpointRow, keys: readonly KeyObject[]): void {
    const signed = openCheckpoint(note, keys);
    if (!signed) this.complain(`No trusted key has signed checkpoint ${number}.`);
    else if (signed.size !== size || !signed.root.equals(root)) {
      this.complain(`Checkpoint ${number} states another size or root than its row.`);
    }
  }

  /** The next row. Rows that were published since the beginning are left out: their leaves may not be read. */
  private async peek(): Promise<CheckpointRow | undefined> {
    if (this.page?.length === 0 || !this.page) {
      const { rows } = await this.pool.query<CheckpointRow>(
        `select number, size, root, note from log_checkpoint where number > $1 and number <= $2 order by number limit $3`,
        [this.readTo, this.last, ROWS_PER_READ],
      );
      this.readTo = rows.at(-1)?.number ?? this.last;
      this.page = rows.reverse();
    }
    return this.page.at(-1);
  }
}
