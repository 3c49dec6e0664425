import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../clock.js';
import { FileStorage, type StoredFolder } from '../storage/file-storage.js';
import { PictureConverter } from './picture-converter.js';
import { PictureEncoder } from './picture-encoder.js';

/** Writes the picture that it was given, and its format. */
class Encoder extends PictureEncoder {
  override encode = (picture: Buffer, format: string, file: string) =>
    writeFile(file, `${picture.toString()}.${format}`);
}

const stored = () => Promise.resolve(Buffer.from('picture'));

/** A storage whose reads are counted, and answered by the test. */
class Pictures extends FileStorage {
  readonly reads: string[] = [];
  read: (name: string) => Promise<Buffer | null> = stored;

  override async get(name: string): Promise<Buffer | null> {
    this.reads.push(name);
    return this.read(name);
  }

  override put(): Promise<void> {
    return Promise.reject(new Error('unused'));
  }

  override delete(): Promise<void> {
    return Promise.reject(new Error('unused'));
  }

  override deleteFolder(): Promise<void> {
    return Promise.reject(new Error('unused'));
  }

  override async *folders(): AsyncGenerator<StoredFolder> {
    // It has none.
  }
}

/** Reads that end when the test says so. */
function paused(pictures: Pictures): (() => void)[] {
  const running: (() => void)[] = [];
  pictures.read = () => new Promise<null>((resolve) => running.push(() => resolve(null)));
  return running;
}

const client = (network = '192.0.2.1', gone = new AbortController().signal) => ({ network, gone });
const turn = () => new Promise((resolve) => setImmediate(resolve));

function setUp() {
  const pictures = new Pictures();
  const clock = new ManualClock(new Date('2026-03-01T12:00:00Z'));
  return { pictures, clock, converter: new PictureConverter(pictures, new Encoder(), clock) };
}

describe('PictureConverter', () => {
  it.each(['jpg', 'png'] as const)('converts a stored picture to %s', async (format) => {
    const bytes = await setUp().converter.convert('a/8.webp', format, client());
    expect(bytes?.toString()).toBe(`picture.${format}`);
  });

  it('returns null when there is no such picture', async () => {
    const { pictures, converter } = setUp();
    pictures.read = () => Promise.resolve(null);
    expect(await converter.convert('a/8.webp', 'jpg', client())).toBeNull();
  });

  it('converts once for requests at the same time, also of several clients, and again for a later one', async () => {
    const { pictures, converter } = setUp();
    const convert = (network: string) => converter.convert('a/8.webp', 'jpg', client(network));
    const all = await Promise.all([convert('192.0.2.1'), convert('192.0.2.1'), convert('192.0.2.2')]);
    expect([pictures.reads.length, new Set(all).size]).toEqual([1, 1]);
    await convert('192.0.2.1');
    expect(pictures.reads).toHaveLength(2);
  });

  it('refuses more than one running and eight waiting pictures of one client, and still serves others', async () => {
    const { pictures, converter } = setUp();
    const running = paused(pictures);
    const flood = Array.from({ length: 120 }, (_, index) => converter.convert(`a/${index}.webp`, 'png', client()));
    const outcomes = Promise.allSettled(flood);
    await turn();
    expect(pictures.reads).toEqual(['a/0.webp']);
    const innocent = converter.convert('b/1.webp', 'png', client('192.0.2.2'));
    await turn();
    expect(pictures.reads).toEqual(['a/0.webp', 'b/1.webp']);
    while (running.length > 0) {
      running.shift()?.();
      await turn();
    }
    expect(await innocent).toBeNull();
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(111);
    expect(refused[0]).toMatchObject({ reason: { status: 429, retryAfterSeconds: 5 } });
  });

  it('refuses every client when 64 pictures of many clients wait', async () => {
    const { pictures, converter } = setUp();
    const running = paused(pictures);
    const convert = (index: number) => converter.convert(`a/${index}.webp`, 'png', client(`192.0.2.${index}`));
    const all = Array.from({ length: 66 }, (_, index) => convert(index));
    await turn();
    await expect(convert(66)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 });
    while (running.length > 0) {
      running.shift()?.();
      await turn();
    }
    expect(await Promise.all(all)).toHaveLength(66);
  });

  it('does not convert for clients that are gone, and goes on for the others who wait for the same', async () => {
    const { pictures, converter } = setUp();
    const running = paused(pictures);
    const leaves = new AbortController();
    const first = converter.convert('a/1.webp', 'png', client());
    const gone = ['a/2.webp', 'a/3.webp'].map((name) =>
      converter.convert(name, 'png', client('192.0.2.1', leaves.signal)),
    );
    const stays = converter.convert('a/3.webp', 'png', client());
    const outcomes = Promise.allSettled(gone);
    await turn();
    leaves.abort();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(converter.convert('a/4.webp', 'png', client('192.0.2.1', leaves.signal))).rejects.toThrow('closed');
    for (let work = 0; work < 2; work += 1) {
      running.shift()?.();
      await turn();
    }
    expect(await Promise.all([first, stays])).toEqual([null, null]);
    expect(pictures.reads).toEqual(['a/1.webp', 'a/3.webp']);
    // The dropped picture can be requested again.
    const again = converter.convert('a/2.webp', 'png', client());
    await turn();
    running.shift()?.();
    expect(await again).toBeNull();
  });

  it('answers who asks for a running conversion that its first client has left', async () => {
    const { pictures, converter } = setUp();
    const running = paused(pictures);
    const leaves = new AbortController();
    const first = converter.convert('a/1.webp', 'png', client('192.0.2.1', leaves.signal));
    await turn();
    leaves.abort();
    await expect(first).rejects.toThrow('closed');
    const second = converter.convert('a/1.webp', 'png', client());
    await turn();
    running.shift()?.();
    expect(await second).toBeNull();
    expect(pictures.reads).toHaveLength(1);
  });

  it('refuses a client that got 30 MB in a minute, also what waits already, and still serves others', async () => {
    const { pictures, converter, clock } = setUp();
    pictures.putDerived = () => Promise.resolve(Buffer.alloc(20e6));
    const convert = (name: string, network?: string) => converter.convert(`a/${name}.webp`, 'png', client(network));
    const outcomes = await Promise.allSettled(['1', '2', '3'].map((name) => convert(name)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    await expect(convert('1')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 60 });
    expect(await convert('1', '192.0.2.2')).not.toBeNull();
    clock.advance(60_000);
    expect(await convert('3')).not.toBeNull();
  });

  it('frees its place when a picture cannot be read', async () => {
    const { pictures, converter } = setUp();
    pictures.read = () => Promise.reject(new Error('no disk'));
    for (let round = 0; round < 3; round += 1) {
      await expect(converter.convert('a/8.webp', 'jpg', client())).rejects.toThrow('no disk');
    }
    pictures.read = stored;
    expect(await converter.convert('a/8.webp', 'jpg', client())).not.toBeNull();
  });
});
