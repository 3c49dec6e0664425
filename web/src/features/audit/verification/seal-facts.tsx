import { Skeleton } from '../../../components/skeleton.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { formatUtcSecond } from '../../../components/work-area/utc.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { counted } from '../../../lib/format.js';
import { groupedHash } from '../audit-text.js';
import { readSealLine } from '../seals/seal-line.js';
import { KeyComparison } from './key-comparison.js';

/** The newest seal of the ledger: its number and time, its root, its key and its streams. */
export function SealFacts({ now }: { readonly now: number }): React.ReactNode {
  const query = useRpc('list_ledger_seals', { p_limit: 1, p_newest_first: true }, liveTimings);
  return (
    <Answer query={query} words={loadWords('the newest seal')} skeleton={<Skeleton className="h-36 rounded-sm" />}>
      {({ seals: [newest] }) => {
        if (!newest) return <p className="text-14 text-ink-2">No seal yet: one is made while there are new events.</p>;
        const seal = readSealLine(newest.line);
        if (!seal) return <p className="text-14 text-bad">The line of seal {newest.number} cannot be read.</p>;
        const { startedAt, merkleRoot, keyFingerprint, streams } = seal;
        return (
          <dl className="text-14 tabular-nums [&>div]:flex [&>div]:gap-4 [&>div]:border-b [&>div]:border-line [&>div]:py-2.5 [&>div:last-child]:border-0 [&_dd]:min-w-0 [&_dt]:w-[104px] [&_dt]:shrink-0 [&_dt]:text-ink-2">
            <div>
              <dt>Newest seal</dt>
              <dd>
                {newest.number}, {formatUtcSecond(startedAt, now)} UTC
              </dd>
            </div>
            <div>
              <dt>Merkle root</dt>
              <dd title={merkleRoot}>{groupedHash(merkleRoot)}</dd>
            </div>
            <div>
              <dt>Key</dt>
              <dd>
                <span title={keyFingerprint}>{groupedHash(keyFingerprint)}</span>
                <KeyComparison fingerprint={keyFingerprint} />
              </dd>
            </div>
            <div>
              <dt>Heads</dt>
              <dd>{counted(streams, 'stream')}</dd>
            </div>
          </dl>
        );
      }}
    </Answer>
  );
}
