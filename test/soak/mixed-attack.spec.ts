import { appendFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { attack } from '../support/attack-run.js';

const MINUTES = Number(process.env['SOAK_ATTACK_MINUTES'] ?? '60');
const SEED = Number(process.env['SOAK_SEED'] ?? '20261121');

/** Returns numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

jest.setTimeout((MINUTES + 30) * 60_000);

describe('a mixed attack', () => {
  it('loses no credit while processes, sessions and the database are killed', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'fanvas-attack-'));
    const report = await attack(dataDir, MINUTES, randomFrom(SEED));
    const file = process.env['SOAK_ATTACK_REPORT'];
    if (file) await appendFile(file, `${JSON.stringify({ minutes: MINUTES, ...report })}\n`);
    expect(report.problems).toEqual([]);
    expect(report.fans.delivered).toBeGreaterThan(0);
    expect(report.fans.purchases).toBeGreaterThan(0);
    expect(report.audits).toBeGreaterThan(0);
  });
});
