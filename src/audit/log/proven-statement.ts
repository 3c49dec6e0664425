import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { type InclusionProofs } from './inclusion-proofs.js';
import { lastCoveredLeaf, LedgerLogError } from './log-store.js';
import { type LedgerStores } from '../verify/read-account.js';

/** Events of the longest statement: two years of a fan who makes ten images a day, or 20,000 shares of a creator. */
const MOST_EVENTS = 20_000;

/** The stream has more events than a statement can have. The message is a sentence. */
export class StatementTooLongError extends Error {
  override readonly name = 'StatementTooLongError';
}

/**
 * The events of a stream up to the last checkpoint as JSON lines, with the proof that the checkpoint's tree has the
 * last of them. One proof is enough: the hash of an event fixes all events before it. In three statements.
 * @param stream an account, or the earnings of a creator
 * @param at the time of the statement: sums are as of then
 * @returns null when no checkpoint has an event of the stream yet
 * @throws StatementTooLongError; LedgerLogError when the events are not those of the log
 */
export async function provenStatement(
  { pool, eventStore, proofs }: LedgerStores & { readonly proofs: InclusionProofs },
  stream: string,
  at: Date,
): Promise<string | null> {
  const covered = await lastCoveredLeaf(pool, stream);
  if (!covered) return null;
  const { leaf, checkpoint } = covered;
  const limit = leaf.version + 1;
  if (limit > MOST_EVENTS) throw new StatementTooLongError(`There are more than ${MOST_EVENTS} events.`);
  const events = await eventStore.readStream(stream, { limit });
  if (events.at(-1)?.metadata.hash !== leaf.hash.toString('hex')) {
    throw new LedgerLogError(`Event ${leaf.version} of ${stream} is not as it was logged.`);
  }
  const lines = [
    { statement: { format: 'fanvas-statement', formatVersion: 1, stream, at: at.toISOString() } },
    ...events.map(({ version, id, type, data, metadata }) => ({
      event: { stream, version, id, type, data, metadata },
    })),
    { proof: await proofs.prove(leaf, checkpoint) },
  ];
  return lines.map((line) => `${canonicalJson(line)}\n`).join('');
}
