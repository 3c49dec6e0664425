import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readContractSchemas } from './api-description.js';

describe('readContractSchemas', () => {
  let folder: string;
  const file = (name: string): URL => pathToFileURL(join(folder, name));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fanvas-schemas-'));
    await writeFile(file('built.json'), '{"schemas":{}}');
    await writeFile(file('cut-off.json'), '{"schemas":');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('reads the first file that exists', async () => {
    await expect(readContractSchemas([file('missing.json'), file('built.json')])).resolves.toEqual({ schemas: {} });
  });

  it('returns null when no file exists', async () => {
    await expect(readContractSchemas([file('missing.json')])).resolves.toBeNull();
  });

  it('throws when a file exists but cannot be read', async () => {
    await expect(readContractSchemas([file('.'), file('built.json')])).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(readContractSchemas([file('cut-off.json'), file('built.json')])).rejects.toThrow(SyntaxError);
  });
});
