/**
 * The size of the product and of its tests by room. Lines of code leave out comments, blank lines and lone brackets.
 *
 *   node scripts/size.mjs             the files as they are
 *   node scripts/size.mjs <commit>    those of a commit
 */
import './lib/node-version.mjs';
import { say } from './lib/console.mjs';
import { sizeTable } from './lib/size.mjs';

say(sizeTable(process.argv[2] ?? null));
