import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/app-process.js';
import { type Proxy, type ProxyName, startProxy } from '../support/proxy.js';
import { until } from '../support/until.js';

const PERSONS = Array.from({ length: 30 }, (_, index) => `person${index}`);

/** Answers each request with its port. */
async function startServer(port = 0): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader('Connection', 'close').end(String((server.address() as AddressInfo).port));
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe('deploy for haproxy', () => {
  it('goes on with processes that say late that they are ready', async () => {
    let checks = 0;
    const slow = createServer((request, response) => {
      const isCheck = request.url === '/readyz';
      checks += isCheck ? 1 : 0;
      setTimeout(() => response.end(), isCheck ? 700 : 0);
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const proxy = await startProxy('haproxy', await freePort(), [portOf(slow)]);
    try {
      await until(() => checks >= 3, 'three checks');
      expect((await fetch(`${proxy.url}/call`)).status).toBe(200);
    } finally {
      await proxy.stop();
      slow.closeAllConnections();
      slow.close();
    }
  });
});

describe.each<ProxyName>(['haproxy', 'nginx'])('deploy for %s and a killed process', (name) => {
  let asked: string[];
  let dying: Server;
  let other: Server;
  let proxy: Proxy;
  beforeEach(async () => {
    asked = [];
    dying = createServer((request, response) => {
      if (/^\/(ready|health)z$/.test(request.url ?? '')) return response.end();
      asked.push(`${request.method} ${request.url}`);
      return request.socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(dying, 'listening');
    other = await startServer();
    proxy = await startProxy(name, await freePort(), [portOf(dying), portOf(other)]);
  });
  afterEach(async () => {
    await proxy?.stop();
    dying.close();
    other.close();
  });

  /** Statuses of ten requests; 502 also where the proxy closes the connection. */
  const statuses = (method: string, path: string): Promise<number[]> =>
    Promise.all(
      PERSONS.slice(0, 10).map((person) =>
        fetch(`${proxy.url}${path}`, { method, headers: { cookie: `fanvas_affinity=${person}` } }).then(
          ({ status }) => status,
          () => 502,
        ),
      ),
    );

  it('sends reads that were accepted to the other process', async () => {
    expect([...new Set(await statuses('GET', '/call'))]).toEqual([200]);
    expect(asked).toContain('GET /call');
  });

  it.each([
    ['change', 'POST', '/call'],
    ['download', 'GET', '/exports/admin-acts.csv'],
  ])('sends no %s twice', async (_, method, path) => {
    const failed = (await statuses(method, path)).filter((status) => status !== 200);
    expect(failed.length).toBeGreaterThan(0);
    expect(asked).toEqual(failed.map(() => `${method} ${path}`));
  });
});

describe.each<ProxyName>(['haproxy', 'nginx'])('deploy for %s', (name) => {
  let servers: Server[];
  let proxy: Proxy;
  beforeEach(async () => {
    servers = [await startServer(), await startServer()];
    proxy = await startProxy(name, await freePort(), servers.map(portOf));
  });
  afterEach(async () => {
    await proxy?.stop();
    for (const server of servers) server.close();
  });

  /** The port that answers a person, or a visitor without a cookie. */
  const ask = async (person: string | null): Promise<number> => {
    const headers = person === null ? {} : { cookie: `other=1; fanvas_affinity=${person}` };
    return Number(await (await fetch(`${proxy.url}/call`, { headers })).text());
  };
  const askAll = async (): Promise<Map<string, number>> =>
    new Map(await Promise.all(PERSONS.map(async (person) => [person, await ask(person)] as const)));

  it('sends each person to one process, and spreads persons and visitors over all', async () => {
    const ports = servers.map(portOf).sort();
    const first = await askAll();
    expect([...new Set(first.values())].sort()).toEqual(ports);
    expect(await askAll()).toEqual(first);
    const visitors = await Promise.all(PERSONS.map(() => ask(null)));
    expect([...new Set(visitors)].sort()).toEqual(ports);
  });

  it('answers everyone when a process stops, and sends its persons back when it is there again', async () => {
    const before = await askAll();
    const [stopped, other] = servers as [Server, Server];
    const port = portOf(stopped);
    stopped.close();
    stopped.closeAllConnections();
    await once(stopped, 'close');
    const during = await askAll();
    expect([...new Set(during.values())]).toEqual([portOf(other)]);
    servers = [other, await startServer(port)];
    const again = async (): Promise<boolean> => JSON.stringify([...(await askAll())]) === JSON.stringify([...before]);
    await until(again, 'the persons of before', 10_000, 250);
  });
});
