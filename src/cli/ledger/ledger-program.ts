import { RecordsError } from '../../platform/storage/records.js';
import { LedgerFileError, SealError } from '../../audit/index.js';
import { ProcessorUnavailableError } from '../../payments/index.js';
import { addAccounts } from './accounts.js';
import { addBalance } from './balance.js';
import { addExport } from './export.js';
import { addFind } from './find.js';
import { NoAccountError } from './ledger-sources.js';
import { addPublicKey } from './public-key.js';
import { addReconcile } from './reconcile.js';
import { addReplay } from './replay.js';
import { addRotateKey } from './rotate-key.js';
import { addSeal } from './seal.js';
import { addStatement } from './statement.js';
import { addStatus } from './status.js';
import { addVerify } from './verify.js';
import { addVerifyExport } from './verify-export.js';
import { addVerifyProof } from './verify-proof.js';
import { addVerifySeal } from './verify-seal.js';
import { type ProgramOptions } from '../program.js';

/** The verbs of `npm run ledger`. */
export const LEDGER_PROGRAM: ProgramOptions = {
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
LEDGER_SIGNING_KEY, else with the installation's own key. The exit code is 0 only when no problem was found.`,
  expectedErrors: [RecordsError, LedgerFileError, SealError, NoAccountError, ProcessorUnavailableError],
};
