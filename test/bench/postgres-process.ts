import path from 'node:path';
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';

/** Runs an embedded Postgres in the given folder until the parent process disconnects. */
const postgres = await startEmbeddedPostgres({
  folder: path.join(process.argv[2] ?? '', 'postgres'),
  database: 'fanvas',
});
process.once('disconnect', () => void postgres.stop());
process.send?.(postgres.ownerUrl);
