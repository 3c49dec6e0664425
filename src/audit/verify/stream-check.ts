import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type EarningsCheck } from './earnings-check.js';
import { type PayoutActCheck } from './payout-acts.js';
import { type PolicyCheck } from './policy-check.js';
import { type Report } from './problem-reports.js';
import { type LedgerStores } from './read-account.js';

/** The data and the other checks that the checks of a stream may use. */
export interface StreamContext extends LedgerStores {
  readonly now: () => Date;
  /** Knows the content of the stream `policy`. */
  readonly policy: PolicyCheck;
  readonly earnings: EarningsCheck;
  readonly payoutActs: PayoutActCheck;
  /** Whether a record of an import names the event. */
  readonly isImported: (stored: StoredEvent) => boolean;
}

/** Compares what belongs to one stream, such as the rows of its events. */
export interface StreamCheck {
  /** Called before the audit of the stream has the event. */
  before?(stored: StoredEvent): Promise<void> | void;
  /** Called when the audit has the event. */
  after?(stored: StoredEvent): Promise<void> | void;
  /** Called after the last event. @returns the number of rows that were compared */
  end?(): Promise<number>;
}

/** Begins a check of one stream. Called before its events are read: rows can then only be older than the events. */
export type BeginStreamCheck<Audit> = (
  context: StreamContext,
  audit: Audit,
  report: Report,
) => Promise<StreamCheck> | StreamCheck;
