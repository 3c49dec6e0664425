import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hasProcessorTime, ProcessTree } from '../../scripts/lib/processor-time.mjs';
import { root } from '../../scripts/lib/run.mjs';
import { currentBudget, filesAboveLine, filesWithoutLine, partsAboveBudget } from '../../scripts/lib/test-costs.mjs';

const budget = { parts: new Map([['unit', 10]]), files: new Map([['a.spec.ts', 4]]) };
const LOOP_SECONDS = 2;

describe('partsAboveBudget', () => {
  it('accepts a part at 1.2 times its loops', () => {
    expect(partsAboveBudget(new Map([['unit', 24]]), LOOP_SECONDS, budget)).toEqual([]);
  });

  it('names a part that costs more, and a part without a budget', () => {
    const parts = new Map([
      ['unit', 25],
      ['web', 1],
    ]);
    expect(partsAboveBudget(parts, LOOP_SECONDS, budget)).toEqual([
      { part: 'unit', problem: 'The part "unit" costs 12.5 loops; its budget is 10.' },
      { part: 'web', problem: 'docs/testing.md has no budget for the part "web".' },
    ]);
  });
});

const costs = (...files: [file: string, seconds: number][]): { file: string; seconds: number }[] =>
  files.map(([file, seconds]) => ({ file, seconds }));

describe('filesWithoutLine', () => {
  const named = (...files: [string, number][]): string[] =>
    filesWithoutLine(costs(...files), LOOP_SECONDS, budget).map(({ file }) => file);

  it('accepts a file without a line at 1.5 loops, and a file with a line at any cost', () => {
    expect(named(['a.spec.ts', 100], ['b.spec.ts', 3])).toEqual([]);
  });

  it('names a file without a line that costs more', () => {
    expect(named(['a.spec.ts', 8], ['b.spec.ts', 3.1])).toEqual(['b.spec.ts']);
  });
});

describe('filesAboveLine', () => {
  it('names a file that costs more than 1.5 times its line', () => {
    expect(filesAboveLine(costs(['a.spec.ts', 12], ['b.spec.ts', 100]), LOOP_SECONDS, budget)).toEqual([]);
    expect(filesAboveLine(costs(['a.spec.ts', 12.1]), LOOP_SECONDS, budget)).toEqual([
      'a.spec.ts costs 6.0 loops; its line says 4.',
    ]);
  });
});

describe('docs/testing.md', () => {
  it('has a budget for every part, and lines for existing files only', () => {
    const { parts, files } = currentBudget();
    expect([...parts.keys()]).toEqual(['unit', 'web', 'integration', 'e2e', 'browsers']);
    expect([...files.keys()].filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

if (hasProcessorTime) {
  describe('ProcessTree', () => {
    it('counts what a process that has ended has used', () => {
      const tree = new ProcessTree([process.pid]);
      const before = tree.seconds();
      const work = 'let n = 0; while (process.cpuUsage().user < 300_000) n += 1;';
      spawnSync(process.execPath, ['--eval', work]);
      expect(tree.seconds() - before).toBeGreaterThanOrEqual(0.3);
    });
  });
}
