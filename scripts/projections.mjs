/**
 * `npm run projections -- <verb>`: how far the projections are, and making one anew, beside the running app or without it.
 * Installs and builds what is missing first; what that says goes to stderr, so that stdout is the answer alone.
 */
import './lib/node-version.mjs';
import { runCli } from './lib/cli.mjs';

await runCli('cli/projections.js');
