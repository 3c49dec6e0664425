import 'reflect-metadata';
import { MEDIA_PROGRAM } from './media/media-program.js';
import { runProgram } from './program.js';

/** `npm run media -- <verb>`. */
runProgram(MEDIA_PROGRAM);
