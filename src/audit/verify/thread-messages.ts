import { type PictureSettings } from '../../platform/storage/open-storage.js';
import { type PlannedAccount, type VerifiedCounts } from './account-verifier.js';
import { type RepairedClock } from './event-times.js';
import { type ChecksPart, type ChecksScope } from './ledger-checks.js';
import { type ProblemCounts } from './problem-reports.js';
import { type LedgerProblem } from './stream-audit.js';

/** Where another thread finds the data of the ledger. */
export interface LedgerAddress {
  readonly databaseUrl: string;
  /** Sessions refuse changes. */
  readonly readOnly: boolean;
  /** Null when the events are in the database. */
  readonly eventStoreUrl: string | null;
  /** Where the stored images are; null: they are not compared. */
  readonly images: PictureSettings | null;
}

/** The data that a thread receives when it starts. */
export interface ThreadStart {
  readonly address: LedgerAddress;
  readonly scope: ChecksScope;
  /** The time of the verification minus that of the system, milliseconds. */
  readonly clockOffsetMs: number;
}

/** A task for a thread. It answers `begin` when it is ready to verify. `end` is the last one. */
export type ThreadTask =
  | { readonly type: 'begin' }
  | { readonly type: 'verify'; readonly accounts: readonly PlannedAccount[] }
  | { readonly type: 'end' };

/** The answer to a task: all that the thread has verified so far, and with `end` what its checks have collected. */
export interface ThreadAnswer {
  readonly counts: VerifiedCounts;
  readonly problems: ProblemCounts;
  readonly part?: ChecksPart;
}

/** From a thread: what it finds, at once, and the answers to its tasks, in any order. */
export type ThreadMessage =
  | { readonly type: 'problem'; readonly problem: LedgerProblem }
  | { readonly type: 'repair'; readonly repair: RepairedClock }
  | { readonly type: 'answer'; readonly id: number; readonly answer: ThreadAnswer };
