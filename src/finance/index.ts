/** The books and the payouts, for the composition, the command line and the audit. */
export { BOOKS_PROJECTION, booksProjection } from './reads/books-projection.js';
export { payoutsProjection } from './reads/payouts-projection.js';
export { processorProjection } from './reads/processor-projection.js';
export {
  PROCESSOR_STREAM,
  processorEventId,
  readProcessorEvent,
  type LedgerMatch,
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
