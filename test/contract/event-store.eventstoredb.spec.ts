import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { isClusterUrl } from '../../src/platform/event-store/eventstoredb-client.js';
import {
  EventStoreDbEventStore,
  type EventStoreDbSettings,
} from '../../src/platform/event-store/eventstoredb-event-store.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { describeEventStoreFaults, type FaultyHarness } from './event-store-faults.js';
import { describeEventStore, type EventStoreHarness } from './event-store.js';

/**
 * With EVENTSTORE_URL the suite runs against that server. It may be in use, so all stream names are unique. The fault
 * cases reach it through a proxy, which must see the ids of events: one node without TLS.
 */
const realServer = process.env['EVENTSTORE_URL'];

jest.setTimeout(60_000);

/** The emulator shares a busy machine. Only the fault cases depend on the time limit of a call. */
const PATIENT: Partial<EventStoreDbSettings> = { callMs: 30_000 };

if (realServer) {
  const name = 'the EventStoreDB of EVENTSTORE_URL';
  describeEventStore(name, () => Promise.resolve(storesAt(realServer)));
  const url = clientUrl(realServer);
  if (!isClusterUrl(url) && url.includes('tls=false')) {
    describeEventStoreFaults(name, () => behindProxy(realServer), { restarts: false });
  }
} else {
  describeEventStore('EventStoreDB (emulator)', () => startEmulator(PATIENT));
  describeEventStoreFaults('EventStoreDB (emulator)', () => startEmulator());
}

/** The address as the settings give it to the client. */
function clientUrl(address: string): string {
  return loadConfig({ EVENTSTORE_URL: address }, '/').eventStoreUrl ?? '';
}

function storesAt(address: string, settings: Partial<EventStoreDbSettings> = {}): EventStoreHarness {
  const stores: EventStoreDbEventStore[] = [];
  return {
    open: () => {
      const store = new EventStoreDbEventStore(clientUrl(address), settings);
      stores.push(store);
      return Promise.resolve(store);
    },
    close: async () => {
      for (const store of stores) await store.close();
    },
  };
}

/** Disturbs the connection to a server, and leaves the server alone. */
async function behindProxy(
  address: string,
  settings?: Partial<EventStoreDbSettings>,
): Promise<Omit<FaultyHarness, 'restart'>> {
  const proxy = await startTcpProxy(address, hasHeaders);
  const { open, close } = storesAt(proxy.url, settings);
  return {
    open,
    loseAnswerTo: (eventId) => proxy.loseAnswerTo(eventId),
    fail: () => proxy.fail(),
    recover: () => proxy.listen(),
    close: async () => {
      await close();
      await proxy.close();
    },
  };
}

async function startEmulator(settings?: Partial<EventStoreDbSettings>): Promise<FaultyHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'fanvas-eventstoredb-'));
  const file = join(folder, 'events.ndjson');
  let server = await EventStoreDbServer.start({ file });
  const harness = await behindProxy(`kurrentdb://127.0.0.1:${server.port}?tls=false`, settings);
  return {
    ...harness,
    restart: async () => {
      const { port } = server;
      await server.stop();
      server = await EventStoreDbServer.start({ file, port });
    },
    close: async () => {
      await harness.close();
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Whether these HTTP/2 frames contain a HEADERS frame, with which the answer to a call begins. */
function hasHeaders(frames: Buffer): boolean {
  const HEADER_BYTES = 9;
  const HEADERS = 1;
  for (let at = 0; at + HEADER_BYTES <= frames.length; at += HEADER_BYTES + frames.readUIntBE(at, 3)) {
    if (frames[at + 3] === HEADERS) return true;
  }
  return false;
}
