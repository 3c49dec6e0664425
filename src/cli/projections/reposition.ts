import { mayChangeEvents } from '../../platform/database/rights.js';
import { repositionEvents } from '../../platform/event-store/reposition.js';
import { type Config } from '../../platform/config/config.js';
import { count, say } from '../output.js';
import { type AddVerb, UsageError } from '../program.js';
import { openProjectionTables } from './projection-sources.js';

/** `reposition`: makes positions valid after a dump was restored. */
export const addReposition: AddVerb = (program, run) => {
  program
    .command('reposition')
    .description('after a dump was restored: gives its events positions of this server; the app must be stopped')
    .action(() => run(({ config }) => reposition(config)));
};

async function reposition(config: Config): Promise<boolean> {
  if (config.eventStoreUrl !== null) {
    throw new UsageError('The events are not in this database; positions of EVENTSTORE_URL need no change.');
  }
  const { pool } = await openProjectionTables(config, 'owner');
  if (!(await mayChangeEvents(pool))) {
    throw new UsageError(
      'The events belong to another database user: set DATABASE_MIGRATION_URL to the address with that user.',
    );
  }
  const { events, reset } = await repositionEvents(pool);
  say(events === 0 ? 'No event needs another position.' : `${count(events)} events have positions of this server now.`);
  for (const name of reset) say(`${name} was ahead of the events: the app builds it again at its next start.`);
  return true;
}
