import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { PictureEncoder } from '../../src/platform/media/picture-encoder.js';
import { ENCODE_PROCESS } from '../support/compiled-threads.js';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'fanvas-encoder-'))));
afterAll(() => rm(folder, { recursive: true }));

const encoders: PictureEncoder[] = [];
afterEach(() => encoders.splice(0).forEach((encoder) => encoder.onApplicationShutdown()));

function newEncoder(): PictureEncoder {
  const encoder = new PictureEncoder(ENCODE_PROCESS);
  encoders.push(encoder);
  return encoder;
}

const webp = (): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 6, channels: 3, background: '#d96f32' } })
    .webp()
    .toBuffer();

/** Encodes a picture, and reads the result. */
async function encode(encoder: PictureEncoder, format: 'jpg' | 'png', picture?: Buffer): Promise<Buffer> {
  const file = join(folder, randomUUID());
  await encoder.encode(picture ?? (await webp()), format, file);
  return readFile(file);
}

function processOf(encoder: PictureEncoder) {
  const child = encoder['child'];
  if (child?.pid === undefined) throw new Error('The encoder has no process.');
  return { child, pid: child.pid };
}

describe('PictureEncoder', () => {
  it.each([
    ['jpg', 'jpeg'],
    ['png', 'png'],
  ] as const)('encodes a picture as %s in its size', async (format, name) => {
    const bytes = await encode(newEncoder(), format);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: name, width: 8, height: 6 });
  });

  it('encodes in one process with the lowest priority, and ends it with the app', async () => {
    const encoder = newEncoder();
    await encode(encoder, 'png');
    const { pid, child } = processOf(encoder);
    expect(getPriority(pid)).toBe(constants.priority.PRIORITY_LOW);
    await Promise.all([encode(encoder, 'png'), encode(encoder, 'jpg')]);
    expect(processOf(encoder).pid).toBe(pid);
    encoder.onApplicationShutdown();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('refuses a picture that cannot be read, and encodes the next one', async () => {
    const encoder = newEncoder();
    await expect(encode(encoder, 'png', Buffer.from('no picture'))).rejects.toThrow('unsupported image format');
    expect(await encode(encoder, 'png')).toBeInstanceOf(Buffer);
  });

  it('refuses what waited for a process that was killed, and starts another one', async () => {
    const encoder = newEncoder();
    await encode(encoder, 'png');
    const { pid, child } = processOf(encoder);
    const picture = await webp();
    child.kill('SIGSTOP');
    const waiting = encode(encoder, 'png', picture);
    child.kill('SIGKILL');
    await expect(waiting).rejects.toThrow('The process that encodes pictures has ended.');
    await encode(encoder, 'png');
    expect(processOf(encoder).pid).not.toBe(pid);
  });

  it('drops what waits for the process when the app stops', async () => {
    const encoder = newEncoder();
    await encode(encoder, 'png');
    const { child } = processOf(encoder);
    const picture = await webp();
    child.kill('SIGSTOP');
    const waiting = encode(encoder, 'png', picture);
    encoder.onApplicationShutdown();
    await expect(waiting).rejects.toThrow('The process that encodes pictures was stopped.');
    child.kill('SIGKILL');
  });
});
