import 'reflect-metadata';
import { MIGRATE_PROGRAM } from './migrate/migrate-program.js';
import { runProgram } from './program.js';

/** `npm run migrate`. */
runProgram(MIGRATE_PROGRAM);
