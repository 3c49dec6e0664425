import { CircleDashed, Clock, Stamp } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LedgerSeal } from '../../../../../src/contract/audit.js';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { Answer } from '../../../components/work-area/answer.js';
import { copyText } from '../../../components/copy.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { STICKY_HEAD_FROM_LG } from '../../../components/work-area/sticky-head.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { cx } from '../../../lib/cx.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { shortHash } from '../audit-text.js';
import { readCheckpoint, type Checkpoint } from './read-checkpoint.js';
import { readSealLine } from './seal-line.js';
import { sealState } from './seal-state.js';

const PAGE_SIZE = 60;
const HEAD = `h-9 px-3 text-13 font-[400] text-ink-2 whitespace-nowrap ${STICKY_HEAD_FROM_LG}`;

/** /audit/seals: the public checkpoint of the log, and the seals from the newest to the oldest. */
export default function SealsPage(): React.ReactNode {
  const [before, setBefore] = useState<number | null>(null);
  const seals = useRpc(
    'list_ledger_seals',
    { p_limit: PAGE_SIZE, p_newest_first: true, ...(before === null ? {} : { p_after: before }) },
    liveTimings,
  );
  const checkpoint = useQuery({
    queryKey: ['ledger-checkpoint'],
    queryFn: ({ signal }) => readCheckpoint(signal),
    ...liveTimings,
  });
  return (
    <WorkPage title="Seals" footer="Read only. Keep copies of seals and checkpoints outside: they prove what was there">
      <Answer
        query={checkpoint}
        failure="Failed to load the checkpoint. Please try again."
        loadingText="Loading the checkpoint..."
        skeleton={<Skeleton className="mt-4 h-32 rounded-panel" />}
      >
        {(found) => <PublicCheckpoint checkpoint={found} />}
      </Answer>
      <h2 className="display-sm mt-10 text-24">Seals</h2>
      <Answer
        query={seals}
        failure="Failed to load the seals. Please try again."
        loadingText="Loading seals..."
        skeleton={<Skeleton className="mt-4 h-96 rounded-sm" />}
      >
        {({ seals: rows, next }) =>
          rows.length === 0 ? (
            <EmptyState className="mt-4" title="No seals yet">
              A seal is made while there are new events.
            </EmptyState>
          ) : (
            <>
              <SealTable seals={rows} />
              <nav aria-label="Pages" className="mt-4 flex gap-2">
                <Button size={32} disabled={before === null} onClick={() => setBefore(null)}>
                  Newest
                </Button>
                <Button size={32} disabled={next === null} onClick={() => setBefore(next)}>
                  Older
                </Button>
              </nav>
            </>
          )
        }
      </Answer>
    </WorkPage>
  );
}

function PublicCheckpoint({ checkpoint }: { readonly checkpoint: Checkpoint | null }): React.ReactNode {
  if (checkpoint === null) {
    return (
      <EmptyState className="mt-4" title="No checkpoint yet">
        The first one is signed within a minute after the first event.
      </EmptyState>
    );
  }
  const { origin, size, root, note } = checkpoint;
  return (
    <section aria-labelledby="checkpoint" className="mt-4 rounded-panel border border-line p-5">
      <h2 id="checkpoint" className="display-sm flex items-center gap-2 text-24">
        <Stamp aria-hidden className="size-5 text-good" />
        <span>Public checkpoint of {size.toLocaleString('en-US')} events</span>
      </h2>
      <dl className="mt-3 grid grid-cols-[72px_minmax(0,1fr)] gap-x-3 gap-y-2 text-14 tabular-nums [&>dt]:text-ink-2">
        <dt>Log</dt>
        <dd className="[overflow-wrap:anywhere]">{origin}</dd>
        <dt>Root</dt>
        <dd className="[overflow-wrap:anywhere]">{root}</dd>
      </dl>
      <p className="mt-3 text-14 text-ink-2">
        Anybody may read it without an account, at{' '}
        <a className="link" href="/ledger/checkpoint">
          /ledger/checkpoint
        </a>
        , and verify it with the key at{' '}
        <a className="link" href="/ledger/key">
          /ledger/key
        </a>
        . It changes within a minute while there are new events.
      </p>
      <Button size={32} className="mt-4" onClick={() => void copyText('Checkpoint', note)}>
        Copy checkpoint
      </Button>
    </section>
  );
}

function SealTable({ seals }: { readonly seals: readonly LedgerSeal[] }): React.ReactNode {
  return (
    <div role="region" aria-label="Seals" tabIndex={0} className="mt-3 max-lg:overflow-x-auto">
      <table className="w-full border-collapse text-14 tabular-nums">
        <caption className="sr-only">Seals, the newest first</caption>
        <thead>
          <tr>
            <th scope="col" className={cx(HEAD, 'text-right')}>
              Seal
            </th>
            <th scope="col" className={cx(HEAD, 'text-left')}>
              Covers all before, UTC
            </th>
            <th scope="col" className={cx(HEAD, 'text-right')}>
              Streams
            </th>
            <th scope="col" className={cx(HEAD, 'text-right')}>
              Events
            </th>
            <th scope="col" className={cx(HEAD, 'text-left')}>
              Merkle root
            </th>
            <th scope="col" className={cx(HEAD, 'text-left')}>
              Key
            </th>
            <th scope="col" className={cx(HEAD, 'text-left')}>
              State
            </th>
          </tr>
        </thead>
        <tbody>
          {seals.map((seal) => (
            <SealRow key={seal.number} seal={seal} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SealRow({ seal }: { readonly seal: LedgerSeal }): React.ReactNode {
  const manifest = readSealLine(seal.line);
  return (
    <tr className="h-11 border-b border-line">
      <th scope="row" className="px-3 text-right font-[560]">
        {seal.number}
      </th>
      <td className="px-3 whitespace-nowrap">{formatUtcInstant(manifest?.startedAt ?? seal.sealed_at).slice(0, -4)}</td>
      <td className="px-3 text-right">{manifest?.streams.toLocaleString('en-US') ?? '?'}</td>
      <td className="px-3 text-right">{manifest?.events.toLocaleString('en-US') ?? '?'}</td>
      <td translate="no" className="px-3 text-ink-2" title={manifest?.merkleRoot}>
        {shortHash(manifest?.merkleRoot ?? null)}
      </td>
      <td className="px-3 text-ink-2" title={manifest?.keyFingerprint}>
        <span translate="no">{shortHash(manifest?.keyFingerprint ?? null)}</span>
        {manifest?.rotation && <span className="block text-13 text-warn">hands over to a new key</span>}
      </td>
      <td className="px-3 whitespace-nowrap">
        <State seal={seal} />
      </td>
    </tr>
  );
}

function State({ seal }: { readonly seal: LedgerSeal }): React.ReactNode {
  const state = sealState(seal);
  const [Icon, tone] = STATES[state];
  if (state === 'unreadable') return <span className="text-bad">Not readable</span>;
  return (
    <span className={cx('inline-flex items-center gap-1.5', tone)}>
      <Icon aria-hidden className="size-4" />
      <span>
        {state === 'published' && 'Published'}
        {state === 'waiting' && 'Not published yet'}
        {state === 'late' && seal.published_at !== null && `Published late, ${formatUtcInstant(seal.published_at)}`}
      </span>
    </span>
  );
}

const STATES = {
  published: [Stamp, 'text-good'],
  late: [Clock, 'text-warn'],
  waiting: [CircleDashed, 'text-warn'],
  unreadable: [CircleDashed, 'text-bad'],
} as const;
