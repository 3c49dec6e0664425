import { eventAt } from '../verify/read-account.js';
import { type ContinuousSources } from './check-whole-ledger.js';
import { replaceProblems, REWRITTEN } from './verification-store.js';

/** The last event of a stream that was verified. */
export interface VerifiedHead {
  readonly stream: string;
  readonly version: number;
  /** The hash of the event. */
  readonly head: string | null;
}

/**
 * Stores a problem when this event is gone or another one. It stays: a complete verification sees only the history as
 * it is now.
 * @param event `subject` names the stream among the stored problems
 */
export async function saveRewritten(
  { pool, eventStore }: ContinuousSources,
  { subject, stream, version, head }: VerifiedHead & { readonly subject: string },
  now: Date,
): Promise<void> {
  const found = await eventAt(eventStore, stream, version);
  if (found && found.metadata['hash'] === head) return;
  const sentence = 'Another event was verified here before: the history of the stream was rewritten since.';
  await replaceProblems(pool, `${REWRITTEN}${subject}`, [{ stream, version, kind: 'chain', what: sentence }], now);
}
