import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, utimes } from 'node:fs/promises';
import { get, type IncomingMessage, type Server } from 'node:http';
import { type Socket } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { HttpAdapterHost } from '@nestjs/core';
import sharp from 'sharp';
import { ClosingReconciler } from '../../src/privacy/closing/workers/reconcile-closings.js';
import { type TakeDownState } from '../../src/contract/gallery.js';
import { imageFileUrl } from '../../src/contract/media.js';
import { OpenAccount } from '../../src/credits/index.js';
import { ConsentFollower } from '../../src/generation/workers/follow-consent.js';
import { GenerationCleaner } from '../../src/generation/workers/clean-generations.js';
import { FileStorage } from '../../src/platform/storage/file-storage.js';
import { ClosingApp } from '../support/closing-app.js';
import { until } from '../support/until.js';

const ADMIN = 'admin_1';
/** Address of a client with many connections. */
const FLOODER = '127.0.0.2';
const FORMATS = ['jpg', 'png'] as const;

let app: ClosingApp;
let picture: Buffer;
beforeAll(async () => {
  app = await ClosingApp.start();
  picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#d96f32' } })
    .webp()
    .toBuffer();
});
afterAll(() => app.close());

/** A finished image of a fan, with a picture that can be converted. */
async function made() {
  const [fan = '', creator = ''] = ['fan', 'creator'].map((name) => `user_${name}_${randomUUID()}`);
  await app.commands.execute(new OpenAccount({ userId: fan }));
  const { creatorId } = await app.newCreator(creator);
  const { id, file, image } = await app.image(fan, creatorId);
  await app.get(FileStorage).put(file, picture, 'image/webp');
  return { fan, creator, id, url: image.url, folder: file.split('/')[0] ?? '' };
}
type Made = Awaited<ReturnType<typeof made>>;

/** Statuses of the converted files of a picture. */
const statuses = (url: string): Promise<number[]> =>
  Promise.all(
    FORMATS.map(async (format) => {
      const response = await fetch(app.url + imageFileUrl({ url }, format));
      await response.arrayBuffer();
      return response.status;
    }),
  );

/** The converted files of a picture on disk. */
const kept = async (folder: string): Promise<string[]> =>
  (await readdir(join(app.dataDir, 'converted-media'))).filter((file) => file.startsWith(folder));

async function call<T>(name: string, token: string, body: object): Promise<T> {
  const answer = await app.rpc<T>(name, token, body);
  expect([name, answer.status]).toEqual([name, 200]);
  return answer.body;
}

async function reconcile(): Promise<void> {
  await app.get(ConsentFollower).sweep();
  await app.get(GenerationCleaner).sweep();
  await app.work();
}

const decide = async ({ id }: Made, p_decision: string): Promise<void> => {
  await call('report_generation', 'user_other', { p_generation_id: id, p_reason: 'other' });
  await call('decide_moderation_case', ADMIN, { p_kind: 'report', p_id: id, p_decision, p_note: 'Private' });
};

describe('FileStorage with converted pictures', () => {
  it.each<[string, (image: Made) => Promise<unknown>]>([
    ['its owner deletes it', ({ id, fan }) => call('delete_generation_by_jwt', fan, { p_generation_id: id })],
    ['its owner hides it', ({ id, fan }) => call('hide_generation_by_jwt', fan, { p_generation_id: id })],
    ['an admin hides it', (image) => decide(image, 'hide')],
    ['an admin takes it down', (image) => decide(image, 'take_down')],
    [
      'its creator asks for a take-down',
      ({ id, creator }) =>
        call<TakeDownState>('request_take_down_by_jwt', creator, { p_generation_id: id, p_reason: 'An advertisement' }),
    ],
    [
      'its creator withdraws the consent',
      async ({ creator }) => {
        await call('withdraw_consent_by_jwt', creator, { p_confirmation: 'Aria Vale' });
        await reconcile();
      },
    ],
    ['its owner closes the account', ({ fan }) => app.closeAccount(fan)],
    [
      'it belongs to nobody',
      async ({ id, folder }) => {
        await app.pool.query('delete from gallery_item where generation_id = $1', [id]);
        await app.pool.query('delete from generation where id = $1', [id]);
        await utimes(join(app.dataDir, 'media', folder), 1, 1);
        await app.get(ClosingReconciler).deleteOrphanedMedia();
      },
    ],
  ])('deletes them from the disk, and answers 404 at their addresses, when %s', async (_, act) => {
    const image = await made();
    const other = await made();
    for (const { url, folder } of [image, other]) {
      expect(await statuses(url)).toEqual([200, 200]);
      expect(await kept(folder)).toHaveLength(2);
    }
    await act(image);
    expect(await kept(image.folder)).toEqual([]);
    expect(await statuses(image.url)).toEqual([404, 404]);
    expect(await kept(other.folder)).toHaveLength(2);
  });

  it('deletes them later when deleting failed during the act', async () => {
    const image = await made();
    expect(await statuses(image.url)).toEqual([200, 200]);
    const failing = jest.spyOn(app.get(FileStorage), 'delete').mockRejectedValue(new Error('no disk'));
    await call('delete_generation_by_jwt', image.fan, { p_generation_id: image.id });
    failing.mockRestore();
    await reconcile();
    expect(await kept(image.folder)).toEqual([]);
  });

  it('keeps none of a picture that was deleted during the conversion', async () => {
    const image = await made();
    const storage = app.get(FileStorage);
    const read = jest.spyOn(storage, 'get').mockImplementationOnce(async () => {
      await call('delete_generation_by_jwt', image.fan, { p_generation_id: image.id });
      return picture;
    });
    await fetch(app.url + imageFileUrl(image, 'png'));
    read.mockRestore();
    expect(await kept(image.folder)).toEqual([]);
    expect(await statuses(image.url)).toEqual([404, 404]);
  });
});

describe('GET /media for a converted picture', () => {
  it('refuses one client beyond its limit, serves others meanwhile, and drops its requests when it leaves', async () => {
    const sockets: Socket[] = [];
    const server = app.get(HttpAdapterHost).httpAdapter.getHttpServer() as Server;
    const collect = (socket: Socket): void => {
      if (socket.remoteAddress === FLOODER) sockets.push(socket);
    };
    server.on('connection', collect);
    const storage = app.get(FileStorage);
    let release: () => void = () => undefined;
    const held = new Promise<null>((resolve) => (release = () => resolve(null)));
    const original = storage.get.bind(storage);
    const reads: string[] = [];
    const spy = jest.spyOn(storage, 'get').mockImplementation((name) => {
      if (!name.startsWith('flood')) return original(name);
      reads.push(name);
      return held;
    });

    const flood = Array.from({ length: 12 }, (_, index) =>
      get(`${app.url}/media/flood-of-one-client-${index}/64.png`, { localAddress: FLOODER, agent: false }),
    );
    for (const sent of flood) sent.on('error', () => undefined);
    const [answer] = (await Promise.race(flood.map((sent) => once(sent, 'response')))) as [IncomingMessage];
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '5']);
    expect(await json(answer)).toEqual({
      code: 'RATE_LIMIT_EXCEEDED',
      details: null,
      hint: null,
      message: 'Too many of your downloads are being prepared. Please try again in a moment.',
    });
    expect(await statuses((await made()).url)).toEqual([200, 200]);

    for (const sent of flood) sent.destroy();
    await until(() => sockets.length === flood.length && sockets.every(({ closed }) => closed));
    release();
    expect(await statuses((await made()).url)).toEqual([200, 200]);
    expect(reads).toHaveLength(1);
    spy.mockRestore();
    server.off('connection', collect);
  });
});
