import { Logger } from '@nestjs/common';
import { EventStoreDBClient } from '@eventstore/db-client';

/**
 * A client of EventStoreDB or KurrentDB; it connects at the first call. Two of its habits can end the process, so they are
 * taken from it (docs/adr/0016-eventstoredb.md):
 *
 * - `BatchAppend`: when the connection breaks while appends queue up, the client leaves promises behind whose rejection nobody
 *   can handle, and appends of all clients in a process share one table. Told that no feature is supported, it sends each append
 *   as a call of its own, with a deadline.
 * - After an error it looks for another node in the background, and a failure of that is nobody's to handle either.
 *
 * @param url as `EVENTSTORE_URL` is after validation: `esdb://` or `esdb+discover://`
 */
export function connectToEventStoreDb(url: string): EventStoreDBClient {
  const logger = new Logger('EventStoreDB');
  const client = EventStoreDBClient.connectionString(url);
  client['supports'] = () => Promise.resolve(false);
  const handleError = client['handleError'];
  client['handleError'] = (connection, error) =>
    handleError(connection, error).catch((reason: unknown) => {
      logger.debug('The connection was not replaced; the next call does it.', { reason: String(reason) });
    });
  return client;
}
