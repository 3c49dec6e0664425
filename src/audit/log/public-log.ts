import { Inject, Injectable } from '@nestjs/common';
import { type Pool } from 'pg';
import { PG_POOL } from '../../platform/database/database.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { InclusionProofs } from './inclusion-proofs.js';
import {
  type CoveredLeaf,
  lastCheckpoint,
  leafWithCheckpoint,
  readEntries,
  readHashes,
  readTiles,
} from './log-store.js';
import { provenStatement } from './proven-statement.js';
import { entriesTile, isWithin, parseTilePath } from './tile-path.js';
import { type HashRange } from './tree-hashes.js';

/** Reads the public log of the ledger: its checkpoint, its tiles, and proofs of events. */
@Injectable()
export class PublicLog {
  private readonly proofs: InclusionProofs;

  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly eventStore: EventStore,
  ) {
    this.proofs = new InclusionProofs((tiles) => readTiles(pool, tiles));
  }

  /** The signed note of the last checkpoint; null before the first. */
  async checkpoint(): Promise<string | null> {
    return (await lastCheckpoint(this.pool))?.note ?? null;
  }

  /**
   * A tile of the tree or of its entries. The last checkpoint has everything in it.
   * @param level that of the tree, or `entries`
   * @param path the parts of the tile's address
   * @returns null for an address that is not that of such a tile
   */
  async tile(level: string, path: readonly string[]): Promise<Buffer | null> {
    const tile = parseTilePath(level, path);
    if (!tile || !isWithin(tile, (await lastCheckpoint(this.pool))?.size ?? 0)) return null;
    return tile.entries ? entriesTile(await readEntries(this.pool, tile)) : this.hashes(tile);
  }

  /** The leaf of an event, with the last checkpoint; null without one of them. The checkpoint may not have the leaf. */
  leaf(eventId: string): Promise<CoveredLeaf | null> {
    return leafWithCheckpoint(this.pool, eventId);
  }

  /** The inclusion proof of a leaf that the checkpoint has. */
  proof({ leaf, checkpoint }: CoveredLeaf): Promise<string> {
    return this.proofs.prove(leaf, checkpoint);
  }

  /** The events of a stream with a proof, see {@link provenStatement}. */
  statement(stream: string, at: Date): Promise<AsyncIterable<string> | null> {
    const { pool, eventStore, proofs } = this;
    return provenStatement({ pool, eventStore, proofs }, stream, at);
  }

  private async hashes(tile: HashRange): Promise<Buffer> {
    const hashAt = await readHashes(this.pool, [tile]);
    const { level, from, to } = tile;
    return Buffer.concat(Array.from({ length: to - from }, (_, offset) => hashAt(level, from + offset)));
  }
}
