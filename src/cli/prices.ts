import 'reflect-metadata';
import { DomainError } from '../platform/domain-error.js';
import { addList } from './prices/list.js';
import { addSet } from './prices/set.js';
import { runProgram } from './program.js';

/** `npm run prices -- <verb>`. */
runProgram({
  name: 'npm run prices --',
  verbs: [addList, addSet],
  remarks: 'Prices are events of the ledger. A running app sells at a new price at once.',
  expectedErrors: [DomainError],
});
