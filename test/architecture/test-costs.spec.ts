import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hasProcessorTime, ProcessTree } from '../../scripts/lib/processor-time.mjs';
import { root } from '../../scripts/lib/run.mjs';
import { currentBudget, filesAboveBudget, partsAboveBudget } from '../../scripts/lib/test-costs.mjs';

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
      'The part "unit" costs 12.5 loops; its budget is 10.',
      'docs/testing.md has no budget for the part "web".',
    ]);
  });
});

describe('filesAboveBudget', () => {
  const above = (...costs: [string, number][]): string[] =>
    filesAboveBudget(
      costs.map(([file, seconds]) => ({ file, seconds })),
      LOOP_SECONDS,
      budget,
    ).map(({ file }) => file);

  it('accepts a listed file at 1.5 times its line, and another one at 1.5 loops', () => {
    expect(above(['a.spec.ts', 12], ['b.spec.ts', 3])).toEqual([]);
  });

  it('names files that cost more', () => {
    expect(above(['a.spec.ts', 12.1], ['b.spec.ts', 3.1])).toEqual(['a.spec.ts', 'b.spec.ts']);
  });
});

describe('docs/testing.md', () => {
  it('has a budget for every part, and lines for existing files only', () => {
    const { parts, files } = currentBudget();
    expect([...parts.keys()]).toEqual(['unit', 'web', 'contract', 'integration', 'e2e', 'browsers']);
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
