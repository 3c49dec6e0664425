import { LedgerFileError, SealError, SigningKeyError } from '../audit/index.js';
import 'reflect-metadata';
import { runProgram, type Verb } from './command-line.js';
import { ledgerVerbs, NoAccountError } from './ledger-verbs.js';
import { ProcessorUnavailableError } from '../payments/index.js';
import { reconcileVerb } from './reconcile.js';

/** `npm run ledger -- <verb>`. Verbs that need more than the ledger stand beside its own, one entry for each. */
const verbs: Readonly<Record<string, Verb>> = {
  ...ledgerVerbs,
  reconcile: reconcileVerb,
};

runProgram({
  name: 'npm run ledger --',
  verbs,
  remarks: `Instants are ISO 8601: 2026-03-10 (its start in UTC), 2026-03-10T09:00:00Z. Exports and seals are signed with LEDGER_SIGNING_KEY,
else with a key kept in DATA_DIR. The exit code is 0 only when all is well.`,
  sentences: [LedgerFileError, SealError, SigningKeyError, NoAccountError, ProcessorUnavailableError],
});
