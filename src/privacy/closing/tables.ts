import { type ColumnType, type Generated, type Selectable } from 'kysely';
import { type ClosingChoice, type ClosingStep } from '../../contract/closing.js';

/** The progress of one step. Missing until its first attempt. */
export interface StepProgress {
  /** ISO 8601; missing until the step is done. */
  readonly doneAt?: string;
  /** Attempts since the step was last done that failed or had to wait. */
  readonly attempts?: number;
  /** Not before this instant, ISO 8601. */
  readonly retryAt?: string;
  /** Class and code of the last error; missing when the step only waits. Never a message, which may hold data. */
  readonly error?: string;
  /** Results, added up over all attempts. */
  readonly counts?: Readonly<Record<string, number>>;
}

export type StepsProgress = Readonly<Partial<Record<ClosingStep, StepProgress>>>;

/** The closing of one account: the state of its workflow and its proof. It holds no personal data. */
export interface AccountClosureTable {
  /** UUIDv7 */
  id: string;
  user_id: string;
  requested_by: 'person' | 'identity_provider';
  choice: ClosingChoice;
  requested_at: Date;
  steps: ColumnType<StepsProgress, never, string>;
  /** Only the holder of the lease works on it before this instant. Also paces retries. */
  not_before: Date;
  finished_at: Date | null;
  /** When a finished closure was last searched for leftovers. */
  checked_at: Date | null;
  /** Times that leftovers were found after the end. */
  reopened: Generated<number>;
}

/** The tokens that show a receipt without a session. Only their hashes are stored. */
export interface AccountClosureTokenTable {
  /** SHA-256, hexadecimal. */
  token_hash: string;
  closure_id: string;
  created_at: Date;
}

export interface ClosingTables {
  account_closure: AccountClosureTable;
  account_closure_token: AccountClosureTokenTable;
}

export type ClosureRow = Selectable<AccountClosureTable>;
