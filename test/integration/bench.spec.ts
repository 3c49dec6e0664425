import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, jest } from '@jest/globals';

// All benchmarks, one after the other: a machine with other work needs more than three minutes.
jest.setTimeout(600_000);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('npm run bench', () => {
  // Skips the two in Chromium, whose code the end-to-end tests cover. The one of the pooler needs PgBouncer.
  const names = readdirSync(path.join(ROOT, 'test', 'bench'))
    .filter((name) => name.endsWith('.bench.ts') && !/^(browser|gallery|pooler)/.test(name))
    .map((name) => name.slice(0, -'.bench.ts'.length));

  it('runs every benchmark and prints a row with ratio and target for each measurement', async () => {
    const child = spawn(process.execPath, [path.join(ROOT, 'scripts', 'bench.mjs'), '--quick', ...names], {
      cwd: ROOT,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    for (const name of names) {
      const [, section = ''] = output.split(`\n${name}\n`);
      const [heads = '', , ...rows] = section.split('\n').filter((line) => line.startsWith('| '));
      expect(heads.split('|').map((cell) => cell.trim())).toEqual(
        expect.arrayContaining(['What', 'Measured', 'Against', 'Ratio', 'Target', 'Met']),
      );
      expect(rows.length).toBeGreaterThan(0);
    }
  });
});
