import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { linesFrom } from './head-proof.js';

const folder = mkdtempSync(join(tmpdir(), 'fanvas-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('reads a file part by part, each with complete lines', async () => {
  const expected = Array.from({ length: 9_000 }, (_, index) => `${index} ${'x'.repeat(60)}`);
  const file = join(folder, 'seal.ndjson');
  writeFileSync(file, `${expected.join('\n')}\n`);
  const parts: (readonly string[])[] = [];
  for (let offset: number | null = 0; offset !== null && parts.length < 10;) {
    const { lines, next } = await linesFrom(file, offset);
    parts.push(lines);
    offset = next;
  }
  expect(parts).toHaveLength(3);
  expect(parts.flat()).toEqual(expected);
});

it('returns no line of a file without a line feed, and no further part', async () => {
  const file = join(folder, 'cut.ndjson');
  writeFileSync(file, 'half a line');
  expect(await linesFrom(file, 0)).toEqual({ lines: [], next: null });
});
