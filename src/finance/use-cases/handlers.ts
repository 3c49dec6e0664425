import { AdvancePayoutRunHandler } from './advance-payout-run.js';
import { EndPayoutHandler, HoldPayoutsHandler, ReleasePayoutsHandler } from './change-payout.js';
import { CloseBookMonthHandler } from './close-book-month.js';
import { DownloadPayoutFileHandler } from './download-payout-file.js';
import { DraftPayoutRunHandler } from './draft-payout-run.js';
import { MakePayoutFileHandler } from './make-payout-file.js';
import { RecordTransfersHandler } from './record-transfers.js';
import { RunReconciliationHandler } from './run-reconciliation.js';
import { TakeBackPayoutFileHandler } from './take-back-payout-file.js';

export const USE_CASES = [
  CloseBookMonthHandler,
  AdvancePayoutRunHandler,
  DraftPayoutRunHandler,
  EndPayoutHandler,
  HoldPayoutsHandler,
  ReleasePayoutsHandler,
  DownloadPayoutFileHandler,
  MakePayoutFileHandler,
  RunReconciliationHandler,
  RecordTransfersHandler,
  TakeBackPayoutFileHandler,
];
