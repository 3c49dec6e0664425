/**
 * `npm run doctor`: looks at the settings, the database, the keys, the pictures and the providers of an installation,
 * and says what is wrong. First installs and builds what is missing; messages of these steps go to stderr.
 */
import './lib/node-version.mjs';
import { runCli } from './lib/cli.mjs';

await runCli('cli/doctor.js');
