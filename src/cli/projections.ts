import 'reflect-metadata';
import { ShadowTablesError } from '../platform/projections/shadow-tables.js';
import { runProgram } from './program.js';
import { addAbandon } from './projections/abandon.js';
import { PROJECTION_NAMES } from './projections/projection-sources.js';
import { addRebuild } from './projections/rebuild.js';
import { addReposition } from './projections/reposition.js';
import { addStatus } from './projections/status.js';

/** `npm run projections -- <verb>`. */
runProgram({
  name: 'npm run projections --',
  verbs: [addStatus, addRebuild, addAbandon, addReposition],
  remarks: `Projections: ${PROJECTION_NAMES}. The exit code is 0 only when no problem was found.`,
  expectedErrors: [ShadowTablesError],
});
