import { Logger } from '@nestjs/common';
import { EventStoreDBClient } from '@eventstore/db-client';

/**
 * Creates a client of EventStoreDB or KurrentDB, which connects at the first call. Two behaviours of the client can end
 * the process with an unhandled rejection, so they are disabled (docs/adr/0016-eventstoredb.md):
 *
 * - `BatchAppend`: when the connection breaks while appends are queued, the client rejects promises that no caller can
 *   reach, and all clients of a process share one table of appends. Without the feature `BatchAppend`, the client sends
 *   each append as its own call with a deadline.
 * - Discovery after an error: the client looks for another node in the background and does not handle its failure.
 *
 * @param url as `EVENTSTORE_URL` is after validation: `esdb://host`, `esdb://host1,host2` or `esdb+discover://name`
 */
export function connectToEventStoreDb(url: string): EventStoreDBClient {
  const logger = new Logger('EventStoreDB');
  const client = EventStoreDBClient.connectionString(url);
  client['supports'] = () => Promise.resolve(false);
  const handleError = client['handleError'];
  client['handleError'] = (connection, error) =>
    handleError(connection, error).catch((reason: unknown) => {
      logger.debug('The connection was not replaced; the next call tries again.', { reason: String(reason) });
    });
  return client;
}

/** Whether the client looks for the leader among several nodes. */
export function isClusterUrl(url: string): boolean {
  return /^[a-z]+(?:\+discover:|:\/\/(?:[^@/]*@)?[^@/?]*,)/.test(url);
}
