import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const FOLDERS = ['test/integration', 'src/audit/verify'];

describe('the table of cheats in docs/ledger-audit.md', () => {
  const table = readFileSync('docs/ledger-audit.md', 'utf8').split('## The cheats that were tried')[1]?.split('## ')[0];
  const rows = (table ?? '').split('\n').filter((line) => line.startsWith('|'));
  const titles = rows.slice(2).map((row) => row.split('|').at(-2)?.trim() ?? '');

  it('names an existing test in each row', () => {
    const tests = FOLDERS.flatMap((folder) =>
      readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8')),
    );
    expect(titles.length).toBeGreaterThanOrEqual(24);
    expect(titles.filter((title) => !tests.some((text) => text.includes(`'${title}'`)))).toEqual([]);
  });
});
