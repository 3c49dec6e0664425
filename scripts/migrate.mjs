/**
 * `npm run migrate`: runs the migrations of this version on the database of DATABASE_URL, before its first process
 * starts. First installs and builds what is missing; messages of these steps go to stderr.
 */
import './lib/node-version.mjs';
import { runCli } from './lib/cli.mjs';

await runCli('cli/migrate.js');
