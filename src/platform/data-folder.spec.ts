import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataFolderError, requireWritableFolder } from './data-folder.js';

describe('requireWritableFolder', () => {
  let parent: string;
  beforeAll(() => {
    parent = mkdtempSync(join(tmpdir(), 'fanvas-data-'));
  });
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  it('makes a missing folder with its parents', async () => {
    await requireWritableFolder(join(parent, 'a', 'b'));
    expect(statSync(join(parent, 'a', 'b')).isDirectory()).toBe(true);
  });

  it('names the folder and the setting when there is a file in its place', async () => {
    const file = join(parent, 'file');
    writeFileSync(file, '');
    await expect(requireWritableFolder(join(file, 'data'))).rejects.toThrow(DataFolderError);
    await expect(requireWritableFolder(join(file, 'data'))).rejects.toThrow(
      /cannot write to .*file.data \(ENOTDIR\): give the folder to that user, or set DATA_DIR to another one\.$/,
    );
  });
});
