/**
 * `npm run keys -- list|rotate`: the keys in the database and their master key, while the app runs or is stopped. First
 * installs and builds what is missing; messages of these steps go to stderr, so stdout holds only the result.
 */
import './lib/node-version.mjs';
import { runCli } from './lib/cli.mjs';

await runCli('cli/keys.js');
