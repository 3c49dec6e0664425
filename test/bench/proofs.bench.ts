import { createHash, generateKeyPairSync } from 'node:crypto';
import { v7 } from 'uuid';
import { originOf, signedCheckpoint } from '../../src/audit/log/checkpoint.js';
import { InclusionProofs } from '../../src/audit/log/inclusion-proofs.js';
import { addCheckpoint, addLeaves, leafWithCheckpoint, readTiles } from '../../src/audit/log/log-store.js';
import { GrowingTree } from '../../src/audit/log/tree-hashes.js';
import { rootAt } from '../../src/audit/log/sign-checkpoint.js';
import { leafHash } from '../../src/audit/seals/merkle-root.js';
import { bench, medianTime } from './bench.js';

/** Leaves of one statement. */
const PAGE = 10_000;
/** Proofs of one phase. */
const PROOFS = 2_000;

/**
 * One inclusion proof among a million events, as `GET /ledger/proof/{eventId}` makes it, compared with reading one row
 * by its id from the same table. The events themselves are not needed.
 */
await bench(async ({ pool, quick, vacuum, compare }) => {
  const size = quick ? 3_000 : 1_000_000;
  const ids: string[] = [];
  const tree = new GrowingTree(0, () => Buffer.alloc(0));
  for (let from = 0; from < size; from += PAGE) {
    const leaves = Array.from({ length: Math.min(PAGE, size - from) }, (_, place) => ({
      index: from + place,
      eventId: v7(),
      stream: `creditAccount-user_${from + place}`,
      version: 0,
      hash: createHash('sha256')
        .update(String(from + place))
        .digest(),
    }));
    await addLeaves(
      pool,
      leaves,
      leaves.flatMap(({ hash }) => tree.add(leafHash(hash))),
    );
    ids.push(...leaves.map(({ eventId }) => eventId));
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  const root = await rootAt(pool, size);
  const note = signedCheckpoint({ origin: originOf('https://fanvas.example'), size, root }, privateKey);
  await addCheckpoint(pool, { size, root, note, signedAt: new Date() });
  // The first read of a page that was just loaded costs several times a later one.
  await vacuum(pool);

  const proofs = new InclusionProofs((tiles) => readTiles(pool, tiles));
  const prove = async (id: string): Promise<string> => {
    const found = await leafWithCheckpoint(pool, id);
    if (!found) throw new Error('There is no such leaf.');
    const { leaf, checkpoint } = found;
    return proofs.prove(leaf, checkpoint);
  };
  const read = (id: string): Promise<unknown> =>
    pool.query({ name: 'read', text: 'select * from log_leaf where event_id = $1', values: [id] });
  const anyId = (): string => ids[Math.floor(Math.random() * ids.length)] ?? '';
  const phase = (work: (id: string) => Promise<unknown>): Promise<number> =>
    medianTime(quick ? 3 : PROOFS, () => work(anyId()));
  await compare({
    name: `one inclusion proof among ${size.toLocaleString('en')} events`,
    unit: 'ms',
    target: { atMost: 5 },
    base: 'reading a row by its id',
    run: () => phase(prove),
    runBase: () => phase(read),
  });
});
