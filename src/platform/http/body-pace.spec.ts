import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { isTooSlow, requirePace } from './body-pace.js';

describe('isTooSlow', () => {
  it.each([
    [0, 3_000, false],
    [0, 3_001, true],
    [3_999, 4_000, true],
    [4_000, 4_000, false],
    [16_000, 16_000, false],
    [16_000, 16_001, true],
  ])('compares %d bytes in %d ms with the minimum pace', (bytes, ms, expected) => {
    expect(isTooSlow(bytes, ms)).toBe(expected);
  });
});

describe('requirePace', () => {
  let server: FastifyInstance;
  afterEach(() => server.close());

  it('answers slow bodies with 408, closes their connections, and accepts a complete body', async () => {
    let now = 0;
    server = fastify();
    const check = requirePace(server, () => now);
    let waiting = 0;
    const twoWait = new Promise<void>((resolve) => {
      server.addHook('preParsing', (_request, _reply, payload, done) => {
        waiting += 1;
        if (waiting === 2) resolve();
        done(null, payload);
      });
    });
    server.post('/row', (request) => Promise.resolve({ got: request.body }));
    await server.listen({ port: 0, host: '127.0.0.1' });
    const send = (head: string) => {
      const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `POST /row HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n${head}\r\n\r\n`,
      );
      return socket;
    };
    const slow = send('Content-Length: 100');
    const chunked = send('Transfer-Encoding: chunked');
    await twoWait;
    const answers = Promise.all([text(slow), text(chunked)]);
    now = 2_999;
    check();
    now = 3_001;
    check();
    now = 4_001;
    check();
    for (const answer of await answers) {
      expect(answer).toMatch(/^HTTP\/1.1 408 /);
      expect(answer).toContain('The request was sent too slowly.');
    }
    const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    const body = JSON.stringify({ a: 1 });
    const complete = await fetch(`${url}/row`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(await complete.json()).toEqual({ got: { a: 1 } });
  });

  it('accepts a body that is read after one check has found it too slow', async () => {
    let now = 0;
    server = fastify();
    const check = requirePace(server, () => now);
    server.post('/row', (request) => Promise.resolve({ got: request.body }));
    const started = new Promise<void>((resolve) => {
      server.addHook('preParsing', (_request, _reply, payload, done) => {
        resolve();
        done(null, payload);
      });
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      'POST /row HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 7\r\n\r\n',
    );
    await started;
    now = 5_000;
    check();
    socket.write('{"a":1}');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 [^]*\{"got":\{"a":1\}\}/);
  });
});
