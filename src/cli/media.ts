import 'reflect-metadata';
import { DomainError } from '../platform/domain-error.js';
import { addCopy } from './media/copy.js';
import { runProgram } from './program.js';

/** `npm run media -- <verb>`. */
runProgram({
  name: 'npm run media --',
  verbs: [addCopy],
  remarks: 'A running app that has MEDIA_URL reads from the folder what the bucket does not have yet.',
  expectedErrors: [DomainError],
});
