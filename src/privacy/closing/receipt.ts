import { createHash, randomBytes } from 'node:crypto';
import {
  type AccountClosure,
  CLOSING_STEPS,
  type ClosingReceipt,
  type ClosingStepReceipt,
} from '../../contract/closing.js';
import { ATTEMPTS_BEFORE_ATTENTION, isDone } from './next-step.js';
import { type ClosureRow, type StepProgress } from './tables.js';

const TOKEN_BYTES = 32;

/** A new token for a receipt: 256 random bits. */
export function newReceiptToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The stored form of a token. The token is random, so a plain hash cannot be reversed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The proof of a closure for its person. */
export function toReceipt(row: ClosureRow): ClosingReceipt {
  return {
    closure_id: row.id,
    status: statusOf(row),
    requested_by: row.requested_by,
    choice: row.choice,
    requested_at: row.requested_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    steps: CLOSING_STEPS.map((step) => ({ step, ...toStepReceipt(row.steps[step]) })),
  };
}

/** The same for admins, with the failures. */
export function toAccountClosure(row: ClosureRow): AccountClosure {
  return {
    ...toReceipt(row),
    user_id: row.user_id,
    failures: CLOSING_STEPS.flatMap((step) => {
      const { attempts = 0, retryAt, error } = row.steps[step] ?? {};
      return retryAt === undefined ? [] : [{ step, attempts, error: error ?? 'waiting', retry_at: retryAt }];
    }),
  };
}

function statusOf({ finished_at: finishedAt, steps }: ClosureRow): ClosingReceipt['status'] {
  if (finishedAt !== null) return 'finished';
  const stuck = Object.values(steps).some(({ attempts = 0 }) => attempts >= ATTEMPTS_BEFORE_ATTENTION);
  return stuck ? 'attention' : 'running';
}

function toStepReceipt(progress: StepProgress | undefined): Omit<ClosingStepReceipt, 'step'> {
  const counts = Object.entries(progress?.counts ?? {}).map(([name, count]) => ({ name, count }));
  if (isDone(progress)) return { state: 'done', done_at: progress?.doneAt ?? null, counts };
  return { state: progress?.attempts ? 'retrying' : 'waiting', done_at: null, counts };
}
