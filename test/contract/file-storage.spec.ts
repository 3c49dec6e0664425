import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MEDIA_PROGRAM } from '../../src/cli/media/media-program.js';
import { runArguments } from '../../src/cli/program.js';
import { copyToBucket } from '../../src/platform/storage/copy-to-bucket.js';
import { type FileStorage } from '../../src/platform/storage/file-storage.js';
import { LocalFileStorage } from '../../src/platform/storage/local-file-storage.js';
import { MovingStorage } from '../../src/platform/storage/moving-storage.js';
import { openStorage } from '../../src/platform/storage/open-storage.js';
import { openRecords } from '../../src/platform/storage/open-storage.js';
import { BucketError, S3FileStorage } from '../../src/platform/storage/s3-file-storage.js';
import { type S3Server, startS3Server } from '../support/s3-server.js';

const PICTURE = Buffer.from('picture');
const SHA256 = createHash('sha256').update(PICTURE).digest('hex');
const LENGTH = { 'Content-Length': String(PICTURE.length) };
const NAMES = ['abc/640.webp', 'abc/1024.webp', 'def/640.webp'];

let folder: string;
let server: S3Server;

beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fanvas-storage-'));
});
afterEach(async () => {
  server.intercept = () => false;
  const bucket = new S3FileStorage({ ...server.address, prefix: '' }, 'app');
  for await (const { name } of bucket.folders()) await bucket.deleteFolder(name);
  await rm(folder, { recursive: true });
});

const put = (storage: FileStorage, name: string): Promise<void> => storage.put(name, PICTURE, 'image/webp');

const STORAGES: readonly (readonly [string, () => FileStorage])[] = [
  ['a folder', () => new LocalFileStorage(join(folder, 'media'), join(folder, 'converted'))],
  [
    'a bucket',
    () =>
      new MovingStorage(
        new S3FileStorage(server.address, 'app'),
        new LocalFileStorage(join(folder, 'media')),
        join(folder, 'converted'),
      ),
  ],
];

describe.each(STORAGES)('FileStorage in %s', (_name, open) => {
  let storage: FileStorage;
  beforeEach(() => {
    storage = open();
  });

  const folders = async (): Promise<string[]> => {
    const found: string[] = [];
    // By the clock of the file system, which may differ from that of the process.
    const { mtimeMs } = await stat(folder);
    for await (const { name, changedAt } of storage.folders()) {
      expect(Math.abs(changedAt.getTime() - mtimeMs)).toBeLessThan(60_000);
      found.push(name);
    }
    return found.sort();
  };

  it('returns the stored bytes', async () => {
    await put(storage, 'abc/640.webp');
    expect(await storage.get('abc/640.webp')).toEqual(PICTURE);
    expect(await storage.has('abc/640.webp')).toBe(true);
    expect(await storage.addressOf('abc/640.webp', 'image/webp')).toBeNull();
  });

  it('accepts the same file several times at once', async () => {
    await Promise.all([1, 2, 3].map(() => put(storage, 'abc/640.webp')));
    expect(await storage.get('abc/640.webp')).toEqual(PICTURE);
  });

  it('has no file after a delete, and none that was never stored', async () => {
    await put(storage, 'abc/640.webp');
    await storage.delete('abc/640.webp');
    await storage.delete('abc/640.webp');
    for (const name of ['abc/640.webp', 'never/1.webp']) {
      expect(await storage.get(name)).toBeNull();
      expect(await storage.has(name)).toBe(false);
    }
  });

  it('keeps a copy when the original is deleted', async () => {
    await put(storage, 'abc/640.webp');
    expect(await storage.copy('abc/640.webp', 'def/640.webp', 'image/webp')).toBe(true);
    expect(await storage.copy('abc/640.webp', 'def/640.webp', 'image/webp')).toBe(true);
    await storage.delete('abc/640.webp');
    expect(await storage.get('def/640.webp')).toEqual(PICTURE);
    expect(await storage.copy('abc/640.webp', 'ghi/640.webp', 'image/webp')).toBe(false);
  });

  it('lists its folders, and deletes one with what was made from its files', async () => {
    for (const name of NAMES) await put(storage, name);
    expect(await folders()).toEqual(['abc', 'def']);
    expect(await storage.putDerived('abc/640.webp', 'png', (path) => writeFile(path, 'png'))).toEqual(
      Buffer.from('png'),
    );
    expect(await storage.getDerived('abc/640.webp', 'png')).toEqual(Buffer.from('png'));
    await storage.deleteFolder('abc');
    await storage.deleteFolder('abc');
    expect(await folders()).toEqual(['def']);
    expect(await storage.getDerived('abc/640.webp', 'png')).toBeNull();
    expect(await readdir(join(folder, 'converted'))).toEqual([]);
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
    await expect(put(storage, name)).rejects.toThrow(RangeError);
    await expect(storage.delete(name)).rejects.toThrow(RangeError);
  });
});

describe('LocalFileStorage', () => {
  it('leaves no temporary file when the same file is stored several times at once', async () => {
    const storage = new LocalFileStorage(join(folder, 'media'));
    await Promise.all([1, 2, 3].map(() => put(storage, 'abc/640.webp')));
    expect(await readdir(join(folder, 'media', 'abc'))).toEqual(['640.webp']);
  });
});

describe('MovingStorage', () => {
  it('reads what only the folder has, and stores nothing there', async () => {
    const before = new LocalFileStorage(join(folder, 'media'));
    await put(before, 'old/640.webp');
    const media = { bucket: server.address, delivery: 'app' } as const;
    const storage = await openStorage({ dataDir: folder, media });
    expect(await storage.get('old/640.webp')).toEqual(PICTURE);
    expect(await storage.copy('old/640.webp', 'new/640.webp', 'image/webp')).toBe(true);
    expect(existsSync(join(folder, 'media', 'new'))).toBe(false);
    await storage.delete('old/640.webp');
    expect([await storage.has('old/640.webp'), await storage.has('new/640.webp')]).toEqual([false, true]);
  });

  it('deletes files in the folder and in the bucket', async () => {
    const before = new LocalFileStorage(join(folder, 'media'));
    const bucket = new S3FileStorage(server.address, 'app');
    for (const each of [before, bucket]) await put(each, 'both/640.webp');
    await new MovingStorage(bucket, before).deleteFolder('both');
    expect([await before.has('both/640.webp'), await bucket.has('both/640.webp')]).toEqual([false, false]);
  });
});

describe('copyToBucket', () => {
  it('copies every file once, goes on after an interruption, and leaves drafts', async () => {
    const local = new LocalFileStorage(join(folder, 'media'));
    for (const name of NAMES) await put(local, name);
    await writeFile(join(folder, 'media', 'abc', '.draft.new'), 'half');
    const bucket = new S3FileStorage(server.address, 'app');
    await put(bucket, NAMES[0] ?? '');
    const added = { files: 3, added: 2, addedBytes: 2 * PICTURE.length };
    expect(await copyToBucket(join(folder, 'media'), bucket)).toEqual(added);
    for (const name of NAMES) expect(await bucket.get(name)).toEqual(PICTURE);
    expect(await copyToBucket(join(folder, 'media'), bucket)).toMatchObject({ files: 3, added: 0 });
    expect(await copyToBucket(join(folder, 'nowhere'), bucket)).toMatchObject({ files: 0 });
  });

  it('replaces what differs in the bucket, and names what the bucket does not keep', async () => {
    const local = new LocalFileStorage(join(folder, 'media'));
    await put(local, 'abc/640.webp');
    const bucket = new S3FileStorage(server.address, 'app');
    await bucket.put('abc/640.webp', Buffer.from('PICTURE'), 'image/webp');
    expect(await copyToBucket(join(folder, 'media'), bucket)).toMatchObject({ added: 1 });
    expect(await bucket.get('abc/640.webp')).toEqual(PICTURE);
    const forgets = {
      put: () => Promise.resolve(),
      holds: () => Promise.resolve(false),
      delete: () => Promise.resolve(),
    };
    await expect(copyToBucket(join(folder, 'media'), forgets)).rejects.toThrow(
      'The bucket does not hold abc/640.webp as it was stored.',
    );
  });

  it('names in a sentence a seal that the bucket has otherwise', async () => {
    const name = 'ledger-seal-000001.ndjson';
    const records = await openRecords({ media: { bucket: server.address, delivery: 'app' } });
    await records?.keep(name, Buffer.from('another'), 'text/plain');
    await mkdir(join(folder, 'ledger-seals'));
    await writeFile(join(folder, 'ledger-seals', name), 'a seal');
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const code = await runArguments(MEDIA_PROGRAM, ['copy'], { DATA_DIR: folder, MEDIA_URL: server.url });
    const message = written.mock.calls.map(([text]) => String(text)).join('');
    written.mockRestore();
    expect({ code, message }).toEqual({
      code: 1,
      message: `The seal could not be written to ${records?.location}${name}: another file has that name.\n`,
    });
  });

  it('leaves no file in the bucket that the app deletes meanwhile', async () => {
    const local = new LocalFileStorage(join(folder, 'media'));
    await put(local, 'abc/640.webp');
    const bucket = new S3FileStorage(server.address, 'app');
    const storage = new MovingStorage(bucket, local);
    const slow = {
      holds: bucket.holds.bind(bucket),
      delete: bucket.delete.bind(bucket),
      put: async (name: string, bytes: Buffer, type: string) => {
        await storage.delete(name);
        await bucket.put(name, bytes, type);
      },
    };
    expect(await copyToBucket(join(folder, 'media'), slow)).toMatchObject({ files: 0 });
    expect(await storage.has('abc/640.webp')).toBe(false);
  });
});

describe('S3FileStorage', () => {
  const storage = (): S3FileStorage => new S3FileStorage(server.address, 'app');
  const answer = (status: number, code: string) => (_request: unknown, response: ServerResponse) => {
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
    response.writeHead(status, { 'Content-Type': 'application/xml' }).end(body);
    return true;
  };

  it('touches no object outside its prefix', async () => {
    const others = new S3FileStorage({ ...server.address, prefix: 'media-of-others/' }, 'app');
    await put(others, 'abc/640.webp');
    await put(storage(), 'abc/640.webp');
    await storage().deleteFolder('abc');
    expect([await storage().has('abc/640.webp'), await others.has('abc/640.webp')]).toEqual([false, true]);
  });

  it('keeps files of the ledger apart from pictures, which a clean-up of pictures does not see', async () => {
    const records = await openRecords({ media: { bucket: server.address, delivery: 'redirect' } });
    expect(await records?.keep('ledger-checkpoint.txt', Buffer.from('kept'), 'text/plain')).toBe(true);
    expect(await records?.keep('ledger-checkpoint.txt', Buffer.from('other'), 'text/plain')).toBe(false);
    expect(await records?.replace('ledger-checkpoint.txt', 'other', 'newer')).toBe(false);
    await storage().put('abcdefghijklmnop/320.webp', Buffer.from('picture'), 'image/webp');
    const seen: string[] = [];
    for await (const { name } of storage().folders()) seen.push(name);
    expect(seen).toEqual(['abcdefghijklmnop']);
    expect((await records?.get('ledger-checkpoint.txt'))?.toString()).toBe('kept');
    expect(server.requests).toContain('PUT /pictures/media/ledger/ledger-checkpoint.txt');
    server.intercept = answer(403, 'AccessDenied');
    await expect(records?.get('ledger-checkpoint.txt')).rejects.toThrow(
      's3://pictures/media/ledger/ cannot be used: The bucket "pictures" refuses the key (AccessDenied).',
    );
    expect(await openRecords({ media: { bucket: null, delivery: 'app' } })).toBeNull();
  });

  it('signs an address of a minute for browsers, of the origin that it names', async () => {
    const redirecting = new S3FileStorage(server.address, 'redirect');
    await put(redirecting, 'abc/640.webp');
    const address = new URL((await redirecting.addressOf('abc/640.webp', 'image/webp')) ?? '');
    expect(address.pathname).toBe('/pictures/media/abc/640.webp');
    expect(address.searchParams.get('X-Amz-Expires')).toBe('60');
    expect(address.searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
    expect(await redirecting.origins()).toEqual([address.origin]);
    expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(PICTURE);
    expect(await storage().origins()).toEqual([]);
  });

  it.each([
    [404, 'NoSuchBucket', 'The bucket "pictures" does not exist.'],
    [403, 'AccessDenied', 'The bucket "pictures" refuses the key (AccessDenied).'],
    [403, 'SignatureDoesNotMatch', 'The bucket "pictures" refuses the key (SignatureDoesNotMatch).'],
    [403, 'QuotaExceeded', 'The bucket "pictures" is full (QuotaExceeded).'],
    [507, 'XMinioStorageFull', 'The bucket "pictures" is full (XMinioStorageFull).'],
    [400, 'InvalidRequest', 'The bucket "pictures" answered 400 (InvalidRequest).'],
  ])('says why the bucket answered %d %s, to the log and not to the caller', async (status, code, sentence) => {
    server.intercept = answer(status, code);
    const error = await put(storage(), 'abc/640.webp').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BucketError);
    expect(error).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 5, cause: { message: sentence } });
    expect((error as Error).message).not.toContain('bucket');
  });

  it('stores and reads at a server that answers 503 every third time', async () => {
    let count = 0;
    const busy = answer(503, 'SlowDown');
    server.intercept = (request, response) => (count += 1) % 3 === 0 && busy(request, response);
    for (const name of NAMES) await put(storage(), name);
    for (const name of NAMES) expect(await storage().get(name)).toEqual(PICTURE);
    expect(count).toBeGreaterThan(2 * NAMES.length);
  });

  it.each([
    ['does not answer', () => undefined],
    ['stops in the middle of a picture', (response: ServerResponse) => response.writeHead(200, LENGTH).write('pict')],
  ])('gives up on a bucket that %s, and asks it again the next time', async (_what, begin) => {
    await put(storage(), 'abc/640.webp');
    server.intercept = (_request, response) => {
      begin(response);
      return true;
    };
    const impatient = new S3FileStorage(server.address, 'app', { tryMs: 100, requestMs: 300 });
    const sentence = expect.stringContaining('The bucket "pictures" does not answer at http://127.0.0.1:');
    await expect(impatient.get('abc/640.webp')).rejects.toMatchObject({ cause: { message: sentence } });
    server.intercept = () => false;
    expect(await impatient.get('abc/640.webp')).toEqual(PICTURE);
  });

  it('refuses a picture of another size or content than was stored', async () => {
    await put(storage(), 'abc/640.webp');
    server.intercept = (_request, response) => {
      response.writeHead(200, { 'x-amz-meta-sha256': SHA256, 'Content-Length': '4' }).end('pict');
      return true;
    };
    const sentence = 'The bucket has other bytes of abc/640.webp than were stored (4).';
    await expect(storage().get('abc/640.webp')).rejects.toMatchObject({ cause: { message: sentence } });
  });

  it.each([
    [404, 'MEDIA_URL: The bucket "pictures" does not exist.'],
    [403, 'MEDIA_URL: The bucket "pictures" refuses the key'],
  ])('stops the start when the bucket answers %d', async (status, sentence) => {
    server.intercept = (_request, response) => {
      response.writeHead(status).end();
      return true;
    };
    await expect(storage().check()).rejects.toThrow(sentence);
  });

  it('names the address at which no bucket answers', async () => {
    const nowhere = new S3FileStorage({ ...server.address, endpoint: 'http://127.0.0.1:9' }, 'app');
    await expect(nowhere.check()).rejects.toThrow(
      'MEDIA_URL: The bucket "pictures" does not answer at http://127.0.0.1:9',
    );
  });
});
