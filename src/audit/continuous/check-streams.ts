import { STREAM_KINDS } from '../verify/stream-kinds.js';
import { verifyStreams } from '../verify/verify-ledger.js';
import { type ContinuousSources } from './check-whole-ledger.js';
import { type LedgerProblem } from '../verify/account-audit.js';
import { checkEarnings } from './check-earnings.js';
import { replaceProblems } from './verification-store.js';
import { findRewritten, newEvents, saveHeads, savePosition, streamsWithProblems } from './verified-streams.js';

/**
 * Verifies each stream of payouts, and that of the processor, completely when it has new events: they are short, or new
 * once an hour. Compares the last event that was verified before with the one that is there now. Streams with a known
 * problem are verified again. Of the streams of earnings, see {@link checkEarnings}, the new events are verified.
 * @returns when the first event was recorded that is not verified; null when there is none
 */
export async function checkStreams(sources: ContinuousSources, now: () => Date): Promise<Date | null> {
  let unverified = await checkEarnings(sources, now);
  for (const { prefix, isFollowed } of STREAM_KINDS) {
    if (isFollowed) continue;
    const leftSince = await checkPrefix(sources, prefix, now);
    if (leftSince && (!unverified || leftSince < unverified)) unverified = leftSince;
  }
  return unverified;
}

async function checkPrefix(sources: ContinuousSources, prefix: string, now: () => Date): Promise<Date | null> {
  const { pool } = sources;
  const { events, leftSince } = await newEvents(sources, prefix);
  const streams = new Set(events.map(({ stream }) => stream));
  for (const stream of await streamsWithProblems(pool, prefix)) streams.add(stream);
  const changed = [...streams].sort();
  if (changed.length === 0) return null;
  await findRewritten(sources, changed, now());
  const problems = new Map(changed.map((stream): [string, LedgerProblem[]] => [stream, []]));
  await verifyStreams(
    sources,
    {
      now,
      onProblem: (problem) => void (problems.get(problem.stream) ?? problems.get(changed[0] ?? ''))?.push(problem),
    },
    changed,
  );
  for (const [stream, found] of problems) await replaceProblems(pool, stream, found, now());
  await saveHeads(sources, changed);
  const last = events.at(-1);
  if (last) await savePosition(pool, prefix, last);
  return leftSince;
}
