import { databaseOf, migrateDatabase } from '../../migrate-database.js';
import { type Config } from '../../platform/config/config.js';
import { checkDatabase } from '../../platform/database/check-database.js';
import { createPool } from '../../platform/database/pool.js';
import { say } from '../output.js';
import { type AddVerb, atEnd, type ProgramOptions, UsageError } from '../program.js';

const addMigrate: AddVerb = (program, run) => {
  program
    .description('migrates the database of DATABASE_URL, while processes of the version before run on it')
    .action(() => run(({ config }) => migrate(config)));
};

/** The program has no verb. */
export const MIGRATE_PROGRAM: ProgramOptions = {
  name: 'npm run migrate',
  verbs: [addMigrate],
  remarks: 'A start with FANVAS_MIGRATE=off runs no migrations and needs this before.',
};

async function migrate(config: Config): Promise<boolean> {
  const database = databaseOf(config);
  if (!database) throw new UsageError('Set DATABASE_URL: the embedded database is migrated by each start of the app.');
  const { directUrl } = database;
  const pool = createPool(directUrl, { max: 1 });
  atEnd(() => pool.end());
  await checkDatabase(pool, directUrl);
  const ran = await migrateDatabase(database, pool);
  say(ran.length === 0 ? 'The database has all migrations.' : `Migrated: ${ran.join(', ')}.`);
  return true;
}
