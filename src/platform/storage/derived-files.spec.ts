import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DerivedFiles } from './derived-files.js';
import { LocalFileStorage } from './local-file-storage.js';

const bytes = Buffer.from('0123456789');

const written = (content: Buffer | string) => (path: string) => writeFile(path, content);

let folder: string;
let kept: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fanvas-derived-'));
  kept = join(folder, 'converted');
});
afterEach(() => rm(folder, { recursive: true }));

describe('LocalFileStorage with derived files', () => {
  const opened = () => new LocalFileStorage(join(folder, 'media'), kept);
  let storage: LocalFileStorage;
  beforeEach(async () => {
    storage = opened();
    for (const name of ['abc/640.webp', 'abcd/640.webp']) {
      await storage.put(name, Buffer.from('picture'), 'image/webp');
      for (const format of ['jpg', 'png'] as const) await storage.putDerived(name, format, written(name + format));
    }
  });

  it('keeps them by name and format, also after a restart', async () => {
    for (const each of [storage, opened()]) {
      expect(String(await each.getDerived('abc/640.webp', 'png'))).toBe('abc/640.webppng');
      expect(String(await each.getDerived('abcd/640.webp', 'jpg'))).toBe('abcd/640.webpjpg');
      expect(await each.getDerived('abc/384.webp', 'jpg')).toBeNull();
    }
    expect(await new LocalFileStorage(join(folder, 'media')).getDerived('abc/640.webp', 'png')).toBeNull();
  });

  it.each([
    ['the file', (each: LocalFileStorage) => each.delete('abc/640.webp')],
    ['its folder', (each: LocalFileStorage) => each.deleteFolder('abc')],
  ])('deletes them with %s, also from another process', async (_, remove) => {
    await remove(opened());
    expect(await readdir(kept)).toEqual(['abcd~640.webp=jpg', 'abcd~640.webp=png']);
    expect(await storage.getDerived('abc/640.webp', 'png')).toBeNull();
  });

  it('does not keep them when the file was deleted meanwhile', async () => {
    await storage.delete('abc/640.webp');
    await storage.putDerived('abc/640.webp', 'png', written(bytes));
    expect(await readdir(kept)).toEqual(['abcd~640.webp=jpg', 'abcd~640.webp=png']);
  });

  it('does not return them without the file, and sweeps what another process or a crash has left', async () => {
    await rm(join(folder, 'media', 'abc'), { recursive: true });
    for (const draft of ['.old', '.in-progress']) await writeFile(join(kept, draft), bytes);
    await utimes(join(kept, '.old'), 1_000, 1_000);
    expect(await storage.getDerived('abc/640.webp', 'png')).toBeNull();
    await opened().sweepDerived(Date.now());
    expect(await readdir(kept)).toEqual(['.in-progress', 'abcd~640.webp=jpg', 'abcd~640.webp=png']);
  });

  it('lets a conversion of another process end when it counts what was left', async () => {
    await storage.putDerived('abc/640.webp', 'jpg', async (path) => {
      await writeFile(path, 'whole');
      await opened().putDerived('abcd/640.webp', 'jpg', written(bytes));
    });
    expect(String(await storage.getDerived('abc/640.webp', 'jpg'))).toBe('whole');
  });
});

describe('DerivedFiles', () => {
  const files = () => new DerivedFiles(kept, () => Promise.resolve(true), 30);
  const names = async () => (await readdir(kept)).map((file) => file[0]);

  it('deletes the least recently used ones above its size', async () => {
    const some = files();
    for (const name of ['a', 'b', 'c']) await some.put(name, 'png', written(bytes));
    await some.get('a', 'png');
    await some.put('c', 'png', written(bytes));
    expect(await names()).toEqual(['a', 'b', 'c']);
    await some.put('d', 'png', written(bytes));
    expect(await names()).toEqual(['a', 'c', 'd']);
    await some.delete('c');
    await some.put('e', 'jpg', written(bytes));
    expect(await names()).toEqual(['a', 'd', 'e']);
    await some.put('f', 'jpg', written(Buffer.alloc(20)));
    expect(await names()).toEqual(['e', 'f']);
    await some.put('g', 'jpg', written(Buffer.alloc(31)));
    expect(await names()).toEqual([]);
  });

  it('keeps nothing of a file that was not written to its end', async () => {
    const fails = async (path: string) => {
      await writeFile(path, 'half');
      throw new Error('disk full');
    };
    await expect(files().put('a', 'png', fails)).rejects.toThrow('disk full');
    expect(await readdir(kept)).toEqual([]);
  });

  it('counts what an earlier process has left, the oldest first', async () => {
    await mkdir(kept);
    for (const [age, name] of ['b', 'c', 'a'].entries()) {
      await writeFile(join(kept, `${name}=png`), bytes);
      await utimes(join(kept, `${name}=png`), 1_000 + age, 1_000 + age);
    }
    await files().put('d', 'png', written(bytes));
    expect(await names()).toEqual(['a', 'c', 'd']);
  });
});
