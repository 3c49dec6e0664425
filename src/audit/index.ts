/** The audit of the ledger, for the command line. */
export { type LedgerProblem } from './verify/account-audit.js';
export { type KindTotals } from './verify/account-lots.js';
export { type RepairedClock } from './verify/event-times.js';
export { type LedgerSources, type LedgerSummary, verifyLedger } from './verify/verify-ledger.js';
export { uncoveredOf } from './verify/sealed-rows.js';
export { imagesOf } from './verify/generation-charges.js';
export { type LedgerAddress } from './verify/thread-messages.js';
export { type KeptCheckpoint, type LogSummary } from './verify/log-audit.js';
export { CHECKPOINT_FILE, readCopy } from './log/sign-checkpoint.js';
export { hasCheckpoint } from './log/log-store.js';
export { balanceAt, statementOf, type StatementPart } from './history/account-history.js';
export { RequestVerification } from './use-cases/request-verification.js';
export { runsBefore } from './runs/verification-runs.js';
export { readVerificationState } from './continuous/verification-state.js';
export { mentionsOf } from './search/find-events.js';
export { listAccounts, type ListedAccount } from './search/list-accounts.js';
export { parseInstant } from '../platform/instant.js';
export { exportLedger, verifyExport } from './export/ledger-export.js';
export {
  closingSealFile,
  copySeal,
  lastSeal,
  makeSeal,
  publishSeal,
  SEAL_FOLDER,
  SEAL_LOCK,
  readRotations,
  rotationsIn,
  rotationsOf,
  sealChainProblems,
  SealError,
  shareSeal,
  signingKeyOf,
  sealFilesAt,
  sealFilesIn,
  verifySealChain,
} from './seals/ledger-seals.js';
export { coveringSeals } from './seals/covering-seal.js';
export { checkHeadProof } from './seals/head-proof.js';
export { proveSeal, sealedHeadOf, SealedHeads, type ProvenSeal } from './seals/seal-file.js';
export { acceptKeys, replacedKeyProblem, type AcceptedKeys, type KeyRotation } from './seals/key-rotation.js';
export { ImportedHistory } from './imports/imported-history.js';
export { importHistory } from './imports/history-import.js';
export { LedgerFileError } from './seals/signed-file.js';
export {
  adoptNextKey,
  findSigningKey,
  fingerprintOf,
  keyOfFile,
  nextKey,
  PUBLIC_KEY_FILE,
  publicPem,
  readPublicKey,
  signingKey,
  type SigningKeySource,
} from './seals/signing-key.js';
