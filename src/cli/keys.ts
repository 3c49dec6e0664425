import 'reflect-metadata';
import { KEYS_PROGRAM } from './keys/keys-program.js';
import { runProgram } from './program.js';

/** `npm run keys -- <verb>`. */
runProgram(KEYS_PROGRAM);
