import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { codeLines, sizeTable } from '../../scripts/lib/size.mjs';

describe('codeLines', () => {
  it('counts no comments, blank lines and lone brackets', () => {
    const text = [
      '/** One line. */',
      'const pattern = "src/**/*.ts"; // with a remark',
      '',
      '/**',
      ' * Several lines.',
      ' */',
      'call({',
      '  a,',
      '});',
      '// A remark.',
      '{/* In a page. */}',
      '  </>',
    ].join('\n');
    expect(codeLines(text)).toBe(3);
  });
});

describe('sizeTable', () => {
  it('counts no file that is deleted but still in the index', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fanvas-size-'));
    for (const name of ['kept.ts', 'deleted.ts']) writeFileSync(join(folder, name), 'call();\n');
    // A hook of git sets variables that name another repository.
    const options = { cwd: folder, env: { PATH: process.env['PATH'] } };
    execFileSync('git', ['init', '-q'], options);
    execFileSync('git', ['add', '.'], options);
    rmSync(join(folder, 'deleted.ts'));
    expect(sizeTable(null, folder)).toMatch(/^ +1 +1 +0 {2}in all$/m);
    rmSync(folder, { recursive: true });
  });
});
