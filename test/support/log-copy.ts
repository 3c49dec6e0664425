import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Pool } from 'pg';
import { lastCheckpoint, readEntries } from '../../src/audit/log/log-store.js';
import { entriesTile } from '../../src/audit/log/tile-path.js';

/** Writes the last checkpoint and its entries to a folder, as `/ledger` serves them: the copy that a mirror keeps. */
export async function copyLog(pool: Pool, folder: string): Promise<{ readonly size: number; readonly note: string }> {
  const checkpoint = await lastCheckpoint(pool);
  if (!checkpoint) throw new Error('There is no checkpoint.');
  const { size, note } = checkpoint;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'checkpoint'), note);
  for (let from = 0; from < size; from += 256) {
    const to = Math.min(size, from + 256);
    const number = String(from / 256).padStart(3, '0');
    const file = join(folder, 'tile/entries', to - from < 256 ? `${number}.p/${to - from}` : number);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entriesTile(await readEntries(pool, { from, to })));
  }
  return { size, note };
}
