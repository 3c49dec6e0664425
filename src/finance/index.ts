/** The books and the payouts, for the composition, the command line and the audit. */
export { booksProjection } from './reads/books-projection.js';
export { payoutsProjection } from './reads/payouts-projection.js';
export { processorProjection } from './reads/processor-projection.js';
export {
  PROCESSOR_STREAM,
  processorEventId,
  readProcessorEvent,
  type LedgerMatch,
  type MonthClosed,
  type ProcessorEvent,
} from './processor/events.js';
export {
  creatorOfStream,
  PAYOUT_STREAM_PREFIX,
  payoutStream,
  readPayoutEvent,
  type PayoutEvent,
  type PayoutSum,
} from './payouts/events.js';
export {
  earningEventId,
  EARNINGS_STREAM_PREFIX,
  earningsStream,
  readEarningEvent,
  type EarningEvent,
} from './earnings/events.js';
export { moneyOfAllRow, type MoneyOfAllRow, moneyOfAllSelect } from './reads/read-creator-money.js';
export { ListPayoutRunCreators } from './reads/payout-run-creators.js';
export { CountOpenDifferences } from './reads/differences.js';
export { ListRevenueMonths } from './reads/revenue-months.js';
export { NoteLogReach } from './closing/log-reach.js';
export { GetMonthClosing } from './reads/month-closing-figures.js';
export { AdvancePayoutRun } from './use-cases/advance-payout-run.js';
export { EndPayout } from './use-cases/change-payout.js';
export { CloseBookMonth } from './use-cases/close-book-month.js';
export { DownloadPayoutFile } from './use-cases/download-payout-file.js';
export { DraftPayoutRun } from './use-cases/draft-payout-run.js';
export { MakePayoutFile } from './use-cases/make-payout-file.js';
export { RecordTransfers } from './use-cases/record-transfers.js';
export { EarningPoster } from './workers/earning-poster.js';
export { MonthCloser } from './workers/month-closer.js';
export { PayoutRunner } from './workers/payout-runner.js';
export { ProcessorReader } from './workers/processor-reader.js';
export { SEALED_BANK_REPORT } from './runs/run-tables.js';
