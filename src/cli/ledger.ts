import 'reflect-metadata';
import { LEDGER_PROGRAM } from './ledger/ledger-program.js';
import { runProgram } from './program.js';

/** `npm run ledger -- <verb>`. */
runProgram(LEDGER_PROGRAM);
