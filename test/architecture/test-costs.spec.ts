import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hasProcessorTime, ProcessTree } from '../../scripts/lib/processor-time.mjs';
import { root } from '../../scripts/lib/run.mjs';
import { currentBudget, problemsOf } from '../../scripts/lib/test-costs.mjs';

describe('problemsOf', () => {
  const budget = { parts: new Map([['unit', 10]]), files: new Map([['a.spec.ts', 4]]) };
  const files = (...costs: [string, number][]) => costs.map(([file, seconds]) => ({ file, seconds }));

  it('accepts a part and a listed file at 1.2 times their loops, and an unlisted file at 1.5 loops', () => {
    const found = problemsOf(new Map([['unit', 24]]), files(['a.spec.ts', 9.6], ['b.spec.ts', 3]), 2, budget);
    expect(found).toEqual([]);
  });

  it('names what costs more, and a part without a budget', () => {
    const found = problemsOf(
      new Map([
        ['unit', 25],
        ['web', 1],
      ]),
      files(['a.spec.ts', 10], ['b.spec.ts', 3.1]),
      2,
      budget,
    );
    expect(found.map((problem) => /unit|web|[ab]\.spec\.ts/.exec(problem)?.[0])).toEqual([
      'unit',
      'web',
      'a.spec.ts',
      'b.spec.ts',
    ]);
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
