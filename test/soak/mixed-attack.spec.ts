import { appendFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { attack } from '../support/attack-run.js';
import { seededRandom } from '../support/random.js';

const MINUTES = Number(process.env['SOAK_ATTACK_MINUTES'] ?? '60');
const SEED = Number(process.env['SOAK_SEED'] ?? '20261121');

jest.setTimeout((MINUTES + 30) * 60_000);

describe('a mixed attack', () => {
  it('loses no credit while processes, sessions and the database are killed', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'fanvas-attack-'));
    const report = await attack(dataDir, MINUTES, seededRandom(SEED));
    const file = process.env['SOAK_ATTACK_REPORT'];
    if (file) await appendFile(file, `${JSON.stringify({ minutes: MINUTES, ...report })}\n`);
    expect(report.problems).toEqual([]);
    expect(report.fans.delivered).toBeGreaterThan(0);
    expect(report.fans.purchases).toBeGreaterThan(0);
    expect(report.audits).toBeGreaterThan(0);
  });
});
