import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { type Json } from '../../platform/json.js';
import { eventAt, type LedgerStores } from '../verify/read-account.js';
import { type InclusionProofs } from './inclusion-proofs.js';
import { type CoveredLeaf, lastCoveredLeaf, LedgerLogError } from './log-store.js';

/** Events in memory at once. */
const EVENTS_PER_PART = 1000;

type StatementSources = LedgerStores & { readonly proofs: Pick<InclusionProofs, 'prove'> };

/**
 * The events of a stream up to the last checkpoint as JSON lines, with the proof that the checkpoint's tree has the
 * last of them. One proof is enough: the hash of an event fixes all events before it.
 * @param stream an account, or the earnings of a creator
 * @param at the time of the statement: sums are as of then
 * @returns the text in parts, each made when it is read; null when no checkpoint has an event of the stream yet
 * @throws LedgerLogError when the last event is not as it was logged
 */
export async function provenStatement(
  sources: StatementSources,
  stream: string,
  at: Date,
): Promise<AsyncIterable<string> | null> {
  const covered = await lastCoveredLeaf(sources.pool, stream);
  if (!covered) return null;
  const { version, hash } = covered.leaf;
  const last = await eventAt(sources.eventStore, stream, version);
  if (last?.metadata.hash !== hash.toString('hex')) {
    throw new LedgerLogError(`Event ${version} of ${stream} is not as it was logged.`);
  }
  return partsOf(sources, covered, at);
}

async function* partsOf(
  { eventStore, proofs }: StatementSources,
  { leaf, checkpoint }: CoveredLeaf,
  at: Date,
): AsyncGenerator<string> {
  const { stream, version: lastVersion } = leaf;
  yield lineOf({ statement: { format: 'fanvas-statement', formatVersion: 1, stream, at: at.toISOString() } });
  for (let fromVersion = 0; fromVersion <= lastVersion; fromVersion += EVENTS_PER_PART) {
    const limit = Math.min(EVENTS_PER_PART, lastVersion + 1 - fromVersion);
    const events = await eventStore.readStream(stream, { fromVersion, limit });
    const lines = events.map(({ version, id, type, data, metadata }) =>
      lineOf({ event: { stream, version, id, type, data, metadata } }),
    );
    yield lines.join('');
  }
  yield lineOf({ proof: await proofs.prove(leaf, checkpoint) });
}

function lineOf(content: Json): string {
  return `${canonicalJson(content)}\n`;
}
