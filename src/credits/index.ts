/**
 * What other contexts may use of the credit ledger: send these through `CommandBus` and `QueryBus`.
 * Every command is idempotent by its business id; repeating one changes nothing and answers as the first time did.
 */
export * from './commands.js';
export * from './queries.js';
/** The events of accounts, for projections of them. `docs/events.md` is the catalogue. */
export { ACCOUNT_STREAM_PREFIX, accountStream, readCreditEvent, userOfStream, type CreditEvent } from './events.js';
/** For the command line, which makes it anew. */
export { accountProjection } from './account-projection.js';
/** The audit of the ledger, for the command line and for contexts whose tables it compares. */
export { type KindTotals, type LedgerProblem } from './audit/account-audit.js';
export { AccountLines, LineComparison, type LineTable } from './audit/account-lines.js';
export { balanceAt, statementOf, type StatementPart } from './audit/account-history.js';
export { type Charge, type Charges, type Purchase, type Purchases } from './audit/charges.js';
export { exportLedger, verifyExport } from './audit/ledger-export.js';
export { parseInstant } from './audit/instant.js';
export {
  copySeal,
  makeSeal,
  publishSeal,
  SEAL_FOLDER,
  SEAL_LOCK,
  sealChainProblems,
  SealError,
  sealFilesAt,
  verifySealChain,
} from './audit/ledger-seals.js';
export {
  compareRow,
  hasPassed,
  usersOfTable,
  type AccountCheck,
  type GroupCheck,
  type OnDifference,
  type ProjectionCheck,
} from './audit/projection-check.js';
export { proveSeal, SealedHeads, type ProvenSeal } from './audit/seal-file.js';
export { LedgerFileError } from './audit/signed-file.js';
export {
  fingerprintOf,
  PUBLIC_KEY_FILE,
  publicPem,
  readPublicKey,
  signingKey,
  SigningKeyError,
} from './audit/signing-key.js';
export { verifyLedger } from './audit/verify-ledger.js';
