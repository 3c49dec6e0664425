import 'reflect-metadata';
import { LedgerFileError, SealError, SigningKeyError } from '../audit/index.js';
import { ProcessorUnavailableError } from '../payments/index.js';
import { addAccounts } from './ledger/accounts.js';
import { addBalance } from './ledger/balance.js';
import { addExport } from './ledger/export.js';
import { addFind } from './ledger/find.js';
import { NoAccountError } from './ledger/ledger-sources.js';
import { addPublicKey } from './ledger/public-key.js';
import { addReconcile } from './ledger/reconcile.js';
import { addReplay } from './ledger/replay.js';
import { addRotateKey } from './ledger/rotate-key.js';
import { addSeal } from './ledger/seal.js';
import { addStatement } from './ledger/statement.js';
import { addStatus } from './ledger/status.js';
import { addVerify } from './ledger/verify.js';
import { addVerifyExport } from './ledger/verify-export.js';
import { addVerifyProof } from './ledger/verify-proof.js';
import { addVerifySeal } from './ledger/verify-seal.js';
import { runProgram } from './program.js';

/** `npm run ledger -- <verb>`. */
runProgram({
  name: 'npm run ledger --',
  verbs: [
    addVerify,
    addStatus,
    addReplay,
    addBalance,
    addStatement,
    addAccounts,
    addFind,
    addExport,
    addVerifyExport,
    addSeal,
    addVerifySeal,
    addVerifyProof,
    addPublicKey,
    addRotateKey,
    addReconcile,
  ],
  remarks: `Instants are ISO 8601: 2026-03-10 (its start in UTC), 2026-03-10T09:00:00Z. Exports and seals are signed with
LEDGER_SIGNING_KEY, else with the key in DATA_DIR. The exit code is 0 only when no problem was found.`,
  expectedErrors: [LedgerFileError, SealError, SigningKeyError, NoAccountError, ProcessorUnavailableError],
});
