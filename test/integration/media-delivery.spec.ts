import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { imageFileUrl } from '../../src/contract/media.js';
import { OpenAccount } from '../../src/credits/index.js';
import { FileStorage } from '../../src/platform/storage/file-storage.js';
import { openStorage } from '../../src/platform/storage/open-storage.js';
import { ClosingApp } from '../support/closing-app.js';
import { type S3Server, startS3Server } from '../support/s3-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

// Two apps on one database, each with a data folder of its own.
let bucket: S3Server;
let folders: string[];
let app: ClosingApp;
let other: TestApp;
let redirecting: TestApp;
let picture: Buffer;

beforeAll(async () => {
  bucket = await startS3Server();
  folders = await Promise.all([1, 2, 3].map(() => mkdtemp(join(tmpdir(), 'fanvas-media-'))));
  const storages = await Promise.all(
    folders.map((dataDir, index) =>
      openStorage({ dataDir, media: { bucket: bucket.address, delivery: index === 2 ? 'redirect' : 'app' } }),
    ),
  );
  app = await ClosingApp.start({ storage: storages[0]! });
  [other, redirecting] = (await Promise.all(
    storages.slice(1).map((storage) => startTestApp({ database: { pool: app.pool }, overrides: { storage } })),
  )) as [TestApp, TestApp];
  picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#d96f32' } })
    .webp()
    .toBuffer();
});
afterAll(async () => {
  await redirecting?.close();
  await other?.close();
  await app?.close();
  await bucket?.close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** A finished image of a fan. */
async function made() {
  const [fan = '', creator = ''] = ['fan', 'creator'].map((name) => `user_${name}_${randomUUID()}`);
  await app.commands.execute(new OpenAccount({ userId: fan }));
  const { creatorId } = await app.newCreator(creator);
  const { id, file, image } = await app.image(fan, creatorId);
  await app.get(FileStorage).put(file, picture, 'image/webp');
  return { fan, id, image };
}

const ask = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers, redirect: 'manual' });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
};

describe('pictures of several processes', () => {
  it('every process serves a picture of the bucket, and none after another one has deleted it', async () => {
    const { fan, id, image } = await made();
    const addresses = [app, other].flatMap(({ url }) => [url + image.url, url + imageFileUrl(image, 'png')]);
    const etags: string[] = [];
    for (const address of addresses) {
      const { status, headers, body } = await ask(address);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
      expect((await sharp(body).metadata()).width).toBe(64);
      etags.push(headers.get('etag') ?? '');
    }
    const again = await ask(addresses[0] ?? '', { 'If-None-Match': etags[0] ?? '' });
    expect([again.status, again.body.length]).toEqual([304, 0]);

    const deleted = await other.rpc('delete_generation_by_jwt', fan, { p_generation_id: id });
    expect(deleted.status).toBe(200);
    for (const [index, address] of addresses.entries()) {
      const gone = await ask(address, { 'If-None-Match': etags[index] ?? '' });
      expect([gone.status, gone.headers.get('cache-control'), gone.headers.get('etag')]).toEqual([
        404,
        'no-store',
        null,
      ]);
    }
  });

  it('a process that redirects sends browsers to a signed address, and to none of a deleted picture', async () => {
    const { fan, id, image } = await made();
    const { status, headers } = await ask(redirecting.url + image.url);
    expect([status, headers.get('cache-control')]).toEqual([302, 'private, max-age=30']);
    const signed = headers.get('location') ?? '';
    expect(new URL(signed).origin).toBe(bucket.address.endpoint);
    expect((await ask(signed)).body).toEqual(picture);
    // Other formats are made by the app.
    expect((await ask(redirecting.url + imageFileUrl(image, 'jpg'))).status).toBe(200);

    await app.rpc('delete_generation_by_jwt', fan, { p_generation_id: id });
    expect((await ask(redirecting.url + image.url)).status).toBe(404);
    expect((await ask(signed)).status).toBe(404);
  });

  it('a bucket that fails is a failure of the service, and the picture stays', async () => {
    const { image } = await made();
    bucket.intercept = (_request, response) => {
      response.writeHead(403).end();
      return true;
    };
    const failed = await ask(app.url + image.url);
    bucket.intercept = () => false;
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '5']);
    expect(failed.body.toString()).not.toContain('bucket');
    expect((await ask(app.url + image.url)).status).toBe(200);
  });
});
