/**
 * What other contexts may use of the credit ledger: send these through `CommandBus` and `QueryBus`.
 * Every command is idempotent by its business id; repeating one changes nothing and answers as the first time did.
 */
export * from './commands.js';
export * from './queries.js';
/** The audit of the ledger, for the command line alone: it reads, and changes nothing. */
export { type KindTotals, type LedgerProblem } from './audit/account-audit.js';
export { balanceAt, statementOf, type StatementPart } from './audit/account-history.js';
export { ExportError, exportLedger, verifyExport } from './audit/ledger-export.js';
export { PUBLIC_KEY_FILE, readPublicKey, signingKey, SigningKeyError } from './audit/signing-key.js';
export { verifyLedger, type Charge, type Charges } from './audit/verify-ledger.js';
