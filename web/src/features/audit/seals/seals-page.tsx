import { CircleDashed, Clock, Stamp } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import type { LedgerSeal } from '../../../../../src/contract/audit.js';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { copyText } from '../../../components/copy.js';
import { useLinkedPages } from '../../../components/work-area/list-pages.js';
import type { ListColumn } from '../../../components/work-area/list-rows.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { cx } from '../../../lib/cx.js';
import { shortHash } from '../audit-text.js';
import { readCheckpoint, type Checkpoint } from './read-checkpoint.js';
import { readSealLine } from './seal-line.js';
import { sealState } from './seal-state.js';

const PAGE_SIZE = 60;
const COLUMNS: readonly ListColumn<LedgerSeal>[] = [
  { label: 'Seal', cell: ({ number }) => <b className="font-[560]">{number}</b>, numeric: true },
  {
    label: 'Covers all before, UTC',
    className: 'whitespace-nowrap',
    cell: (seal) => formatUtcInstant(manifestOf(seal)?.startedAt ?? seal.sealed_at).slice(0, -4),
  },
  { label: 'Streams', cell: (seal) => counted(manifestOf(seal)?.streams), numeric: true, wideOnly: true },
  { label: 'Events', cell: (seal) => counted(manifestOf(seal)?.events), numeric: true },
  { label: 'Merkle root', cell: (seal) => <Hash of={manifestOf(seal)?.merkleRoot} />, muted: true, wideOnly: true },
  { label: 'Key', cell: (seal) => <Key seal={seal} />, muted: true, wideOnly: true },
  { label: 'State', cell: (seal) => <State seal={seal} />, className: 'whitespace-nowrap' },
];

/** /audit/seals: the public checkpoint of the log, and the seals from the newest to the oldest. */
export default function SealsPage(): React.ReactNode {
  const list = useLinkedPages(
    'list_ledger_seals',
    { p_limit: PAGE_SIZE, p_newest_first: true },
    { field: 'p_after', rows: ({ seals }) => seals, timings: liveTimings, toFirst: true },
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
        words={loadWords('the checkpoint')}
        skeleton={<Skeleton className="mt-4 h-32 rounded-panel" />}
      >
        {(found) => <PublicCheckpoint checkpoint={found} />}
      </Answer>
      <h2 className="display-sm mt-10 text-24">Seals</h2>
      <RpcList
        list={list}
        words={{ ...loadWords('the seals', 'seals'), pages: ['Newest', 'Older'] }}
        empty={<EmptyState title="No seals yet">A seal is made while there are new events.</EmptyState>}
        caption="Seals, the newest first"
        columns={COLUMNS}
        rowKey={({ number }) => String(number)}
        scrolls="narrow"
        className="mt-3"
      />
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

const manifestOf = ({ line }: LedgerSeal) => readSealLine(line);

function counted(value: number | undefined): string {
  return value?.toLocaleString('en-US') ?? '?';
}

function Hash({ of: hash }: { readonly of: string | undefined }): React.ReactNode {
  return (
    <span translate="no" title={hash}>
      {shortHash(hash ?? null)}
    </span>
  );
}

function Key({ seal }: { readonly seal: LedgerSeal }): React.ReactNode {
  const manifest = manifestOf(seal);
  return (
    <>
      <Hash of={manifest?.keyFingerprint} />
      {manifest?.rotation && <span className="block text-13 text-warn">hands over to a new key</span>}
    </>
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
