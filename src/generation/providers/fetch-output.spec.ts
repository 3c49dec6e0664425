import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { fetchOutput, OutputUnavailableError, OutputUnusableError } from './fetch-output.js';

describe('fetchOutput', () => {
  let server: Server;
  let host: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let asked: number;
  let picture: Buffer;

  beforeEach(async () => {
    asked = 0;
    server = createServer((request, response) => {
      asked += 1;
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#369' } })
      .png()
      .toBuffer();
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const fetchFrom = (url: string, change: { allowedHosts?: string[]; maxBytes?: number; timeoutMs?: number } = {}) =>
    fetchOutput(url, { allowedHosts: [host], maxBytes: 1_000_000, timeoutMs: 5_000, ...change });
  const send = (status: number, body: Buffer | string, headers: Record<string, string> = {}): typeof answer => {
    return (_request, response) => response.writeHead(status, headers).end(body);
  };

  it('returns the bytes of an image regardless of the headers', async () => {
    answer = send(200, picture, { 'content-type': 'text/html' });
    expect(await fetchFrom(`http://${host}/a.png`)).toEqual(picture);
  });

  it('fetches without https from an allowed origin, and not from another port of it', async () => {
    answer = send(200, picture);
    const origin = host.replace(/^[^:]+/, 'http://0.0.0.0');
    expect(await fetchFrom(`${origin}/a.png`, { allowedHosts: [origin] })).toEqual(picture);
    await expect(fetchFrom(`${origin}/a.png`, { allowedHosts: ['0.0.0.0', `${origin}1`] })).rejects.toThrow(
      OutputUnusableError,
    );
  });

  it('refuses bytes that are not an image, even with the headers of an image', async () => {
    answer = send(200, '<script>alert(1)</script>', { 'content-type': 'image/png' });
    await expect(fetchFrom(`http://${host}/a.png`)).rejects.toMatchObject({
      name: 'OutputUnusableError',
      cause: expect.any(Error),
    });
  });

  it.each([
    'https://evil.example/a.png',
    'http://replicate.delivery/a.png',
    'https://replicate.delivery.evil.example/a.png',
    'https://evilreplicate.delivery/a.png',
    'https://replicate.delivery@evil.example/a.png',
    'https://user@replicate.delivery/a.png',
    'https://:secret@replicate.delivery/a.png',
    'https://replicate.delivery:8443/a.png',
    'http://127.0.0.1:1/a.png',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'nonsense',
  ])('does not connect to %s', async (url) => {
    const allowedHosts = ['replicate.delivery', '*.replicate.delivery', host];
    await expect(fetchFrom(url, { allowedHosts })).rejects.toThrow(OutputUnusableError);
    expect(asked).toBe(0);
  });

  it('refuses other protocols than http and https on an allowed host', async () => {
    await expect(fetchFrom(`ftp://${host}/a.png`)).rejects.toThrow(`Outputs are not fetched from ftp://${host}.`);
    await expect(fetchFrom('http://', {})).rejects.toThrow('The output has no valid address.');
  });

  it.each([
    ['https://127.0.0.1:1/a.png', ['other.example', '127.0.0.1:1']],
    ['https://127.0.0.1:1/b.png', ['*.0.0.1:1']],
    ['http://[::1]:1/a.png', ['[::1]:1']],
    ['http://localhost:1/a.png', ['localhost:1']],
  ])('connects to %s, which is one of the allowed hosts', async (url, allowedHosts) => {
    // Nothing listens there.
    await expect(fetchFrom(url, { allowedHosts })).rejects.toMatchObject({
      name: 'OutputUnavailableError',
      message: 'The output could not be fetched.',
      cause: expect.any(Error),
    });
  });

  it('accepts every host that a wildcard covers', async () => {
    answer = send(200, picture);
    const allowedHosts = [`*.0.0.1${host.slice('127.0.0.1'.length)}`];
    expect(await fetchFrom(`http://${host}/a.png`, { allowedHosts })).toEqual(picture);
  });

  it('follows a redirect to an allowed host only', async () => {
    answer = (request, response) =>
      request.url === '/first' ? response.writeHead(302, { location: '/second' }).end() : response.end(picture);
    expect(await fetchFrom(`http://${host}/first`)).toEqual(picture);
    expect(asked).toBe(2);
    // The same server answers under this name, which is not allowed.
    answer = (request, response) =>
      request.url === '/first'
        ? response.writeHead(302, { location: `http://${host.replace('127.0.0.1', 'localhost')}/second` }).end()
        : response.end(picture);
    await expect(fetchFrom(`http://${host}/first`)).rejects.toThrow(OutputUnusableError);
    expect(asked).toBe(3);
  });

  it('follows three redirects and refuses the fourth', async () => {
    let left = 3;
    answer = (_request, response) =>
      left-- > 0 ? response.writeHead(302, { location: '/again' }).end() : response.end(picture);
    expect(await fetchFrom(`http://${host}/first`)).toEqual(picture);
    asked = 0;
    left = 4;
    await expect(fetchFrom(`http://${host}/first`)).rejects.toThrow('The output is redirected too often.');
    expect(asked).toBe(4);
  });

  it.each([
    [300, '/second', 2],
    [399, '/second', 2],
    [400, '/second', 1],
    [404, '/second', 1],
    [302, undefined, 1],
    [304, undefined, 1],
  ])('follows the status %i with the location %s in %i requests', async (status, location, requests) => {
    answer = (request, response) =>
      request.url === '/first'
        ? response.writeHead(status, { ...(location && { location }) }).end()
        : response.writeHead(404).end();
    const last = requests === 1 ? status : 404;
    await expect(fetchFrom(`http://${host}/first`)).rejects.toMatchObject({
      name: 'OutputUnusableError',
      message: `The output's address answered ${last}.`,
    });
    expect(asked).toBe(requests);
  });

  it('reports an answer without a body as permanent', async () => {
    answer = send(204, '');
    await expect(fetchFrom(`http://${host}/a.png`)).rejects.toThrow('The output is empty.');
  });

  it.each([true, false])('accepts exactly as many bytes as allowed (Content-Length sent: %s)', async (declared) => {
    answer = send(200, picture, declared ? { 'content-length': String(picture.length) } : {});
    if (!declared) answer = (_request, response) => void response.write(picture, () => response.end());
    expect(await fetchFrom(`http://${host}/a.png`, { maxBytes: picture.length })).toEqual(picture);
    await expect(fetchFrom(`http://${host}/a.png`, { maxBytes: picture.length - 1 })).rejects.toThrow(
      OutputUnusableError,
    );
  });

  it('refuses a declared size above the limit before the body arrives', async () => {
    answer = (_request, response) => response.writeHead(200, { 'content-length': '1000001' }).flushHeaders();
    await expect(fetchFrom(`http://${host}/a.png`)).rejects.toThrow(OutputUnusableError);
  });

  it('stops reading an endless body at the size limit', async () => {
    let sent = 0;
    answer = (_request, response) => {
      const more = (): void => {
        sent += 64_000;
        if (response.write(Buffer.alloc(64_000))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    };
    await expect(fetchFrom(`http://${host}/endless`, { maxBytes: 500_000 })).rejects.toThrow(
      'The output is larger than 500000 bytes.',
    );
    expect(sent).toBeLessThan(20_000_000);
  });

  it.each([404, 410, 403])('reports the status %i as permanent', async (status) => {
    answer = send(status, '');
    await expect(fetchFrom(`http://${host}/a.png`)).rejects.toThrow(OutputUnusableError);
  });

  it.each([500, 503, 429, 425, 408])('reports the status %i as temporary', async (status) => {
    answer = send(status, '');
    await expect(fetchFrom(`http://${host}/a.png`)).rejects.toThrow(OutputUnavailableError);
  });

  it('reports a broken connection as temporary', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': String(picture.length) });
      response.write(picture.subarray(0, 20), () => response.destroy());
    };
    await expect(fetchFrom(`http://${host}/a.png`)).rejects.toThrow(OutputUnavailableError);
  });

  it('reports a missing, late or incomplete answer as temporary', async () => {
    answer = () => undefined;
    await expect(fetchFrom(`http://${host}/a.png`, { timeoutMs: 50 })).rejects.toThrow(OutputUnavailableError);
    answer = (_request, response) => void response.writeHead(200).write(picture.subarray(0, 20));
    await expect(fetchFrom(`http://${host}/a.png`, { timeoutMs: 50 })).rejects.toThrow(OutputUnavailableError);
    const closed = host;
    await new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    });
    await expect(fetchFrom(`http://${closed}/a.png`)).rejects.toThrow(OutputUnavailableError);
  });
});
