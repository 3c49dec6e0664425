import { type ProgramOptions } from '../program.js';
import { addListKeys } from './list.js';
import { addRotateMaster } from './rotate.js';

/** The verbs of `npm run keys`. */
export const KEYS_PROGRAM: ProgramOptions = {
  name: 'npm run keys --',
  verbs: [addListKeys, addRotateMaster],
  remarks: 'Keys in the database are encrypted under FANVAS_MASTER_KEY. No verb prints a key.',
};
