import { type ProgramOptions } from '../program.js';
import { addCheck } from './check.js';

/** `npm run doctor`. */
export const DOCTOR_PROGRAM: ProgramOptions = {
  name: 'npm run doctor --',
  verbs: [addCheck],
  remarks: 'Run it with the settings of the app, while the app runs or is stopped. It prints no key and no password.',
};
