import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';

jest.setTimeout(60_000);

const FOLDER = 'web/src/styles/fonts';
const LIMIT_BYTES = 60_000;

describe('fonts', () => {
  it('the committed files are what scripts/fonts.mjs cuts from the packages', async () => {
    await expect(promisify(execFile)(process.execPath, ['scripts/fonts.mjs', '--check'])).resolves.toBeDefined();
  });

  it('both faces that every page preloads take at most 60 kB', () => {
    const bytes = ['display-latin', 'text-latin'].map((name) => statSync(`${FOLDER}/${name}.woff2`).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(LIMIT_BYTES);
  });

  it('the styles set no weight that the display face lacks', () => {
    const tokens = readFileSync('web/src/styles/tokens.css', 'utf8');
    expect(tokens).toMatch(/--display-weight: 600;/);
    expect(tokens).toMatch(/--display-stretch: 75%;/);
  });
});
