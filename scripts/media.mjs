/**
 * `npm run media -- copy`: copies the pictures of the data folder to a bucket, while the app runs or is stopped. First
 * installs and builds what is missing; messages of these steps go to stderr, so stdout holds only the result.
 */
import './lib/node-version.mjs';
import { runCli } from './lib/cli.mjs';

await runCli('cli/media.js');
