import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Creates a data folder with two demo creators, three pictures of each and the demo accounts (`seed-setup.mjs`). The
 * caller removes it.
 */
export async function seededData(): Promise<string> {
  const source = process.env['SEEDED_DATA'];
  if (!source) throw new Error('Run this suite with Jest: its global setup makes the demo data.');
  const folder = await mkdtemp(join(tmpdir(), 'fanvas-e2e-'));
  // Unlike `fs.cp` it keeps the owner, which may be the identity that Postgres runs under.
  await promisify(execFile)('cp', ['-a', `${source}/.`, folder]);
  return folder;
}
