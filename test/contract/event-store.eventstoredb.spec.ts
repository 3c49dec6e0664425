import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { EventStoreDbEventStore } from '../../src/platform/event-store/eventstoredb-event-store.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { describeEventStoreFaults, type FaultyHarness } from './event-store-faults.js';
import { describeEventStore, type EventStoreHarness } from './event-store.js';

/** With EVENTSTORE_URL the suite runs against that server. It may be in use, so all stream names are unique. */
const realServer = process.env['EVENTSTORE_URL'];

jest.setTimeout(60_000);

if (realServer) {
  describeEventStore('the EventStoreDB of EVENTSTORE_URL', () => Promise.resolve(storesAt(realServer)));
} else {
  describeEventStore('EventStoreDB (our stand-in)', startStandIn);
  describeEventStoreFaults('EventStoreDB (our stand-in)', startStandIn);
}

function storesAt(url: string): EventStoreHarness {
  const stores: EventStoreDbEventStore[] = [];
  return {
    open: () => {
      const store = new EventStoreDbEventStore(url);
      stores.push(store);
      return Promise.resolve(store);
    },
    close: async () => {
      for (const store of stores) await store.close();
    },
  };
}

async function startStandIn(): Promise<FaultyHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'fanvas-eventstoredb-'));
  const file = join(folder, 'events.ndjson');
  let server = await EventStoreDbServer.start({ file });
  const { open, close } = storesAt(server.url);
  return {
    open,
    loseAnswerTo: (eventId) => server.loseAnswerTo(eventId),
    fail: () => server.fail(),
    recover: () => server.recover(),
    restart: async () => {
      const { port } = server;
      await server.stop();
      server = await EventStoreDbServer.start({ file, port });
    },
    close: async () => {
      await close();
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}
