import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LocalFileStorage } from './local-file-storage.js';

describe('LocalFileStorage', () => {
  let folder: string;
  let storage: LocalFileStorage;
  const put = (name: string): Promise<void> => storage.put(name, Buffer.from('picture'), 'image/webp');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fanvas-storage-'));
    storage = new LocalFileStorage(join(folder, 'media'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('returns the stored bytes', async () => {
    await put('abc/640.webp');
    expect(await storage.get('abc/640.webp')).toEqual(Buffer.from('picture'));
  });

  it('accepts the same file several times at once and leaves no temporary file', async () => {
    await Promise.all([put('abc/640.webp'), put('abc/640.webp'), put('abc/640.webp')]);
    expect(await readdir(join(folder, 'media', 'abc'))).toEqual(['640.webp']);
  });

  it('returns null for a missing file and after a delete', async () => {
    await put('abc/640.webp');
    await storage.delete('abc/640.webp');
    await storage.delete('abc/640.webp');
    expect(await storage.get('abc/640.webp')).toBeNull();
    expect(await storage.get('never/1.webp')).toBeNull();
  });

  it('keeps a copy when the original is deleted', async () => {
    await put('abc/640.webp');
    expect(await storage.copy('abc/640.webp', 'def/640.webp', 'image/webp')).toBe(true);
    expect(await storage.copy('abc/640.webp', 'def/640.webp', 'image/webp')).toBe(true);
    await storage.delete('abc/640.webp');
    expect(await storage.get('def/640.webp')).toEqual(Buffer.from('picture'));
    expect(await storage.copy('abc/640.webp', 'ghi/640.webp', 'image/webp')).toBe(false);
  });

  it.each([
    '../secret.txt',
    'a/../../b.webp',
    '/etc/passwd',
    'a\\b.webp',
    'a//b',
    'abc/.webp',
    '.hidden/b',
    'a\0b',
    '',
  ])('refuses the name %j', async (name) => {
    await expect(storage.get(name)).rejects.toThrow(RangeError);
    await expect(put(name)).rejects.toThrow(RangeError);
    await expect(storage.delete(name)).rejects.toThrow(RangeError);
  });
});
