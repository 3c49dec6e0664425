// Each export is a provider of the module: export nothing else here.
export { AdvancePayoutRunHandler } from './advance-payout-run.js';
export { EndPayoutHandler, HoldPayoutsHandler, ReleasePayoutsHandler } from './change-payout.js';
export { CloseBookMonthHandler } from './close-book-month.js';
export { DownloadPayoutFileHandler } from './download-payout-file.js';
export { DraftPayoutRunHandler } from './draft-payout-run.js';
export { MakePayoutFileHandler } from './make-payout-file.js';
export { RecordTransfersHandler } from './record-transfers.js';
export { RunReconciliationHandler } from './run-reconciliation.js';
export { TakeBackPayoutFileHandler } from './take-back-payout-file.js';
