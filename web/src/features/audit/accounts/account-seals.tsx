import { CircleDashed, Clock, Stamp } from 'lucide-react';
import { useState } from 'react';
import type { AccountStatement, LedgerSeal } from '../../../../../src/contract/audit.js';
import { formatUtcInstant, formatUtcNearDay, formatUtcSecond } from '../../../components/work-area/utc.js';
import { cx } from '../../../lib/cx.js';
import { readSealLine } from '../seals/seal-line.js';
import { sealState } from '../seals/seal-state.js';
import { useNewestSeals } from '../seals/use-newest-seals.js';

interface AccountSealsProps {
  /** The newest lines of the account. */
  readonly newest: AccountStatement;
  /** Instant of the figures; null for now. */
  readonly at: string | null;
}

/** The newest seals, with the events of the account that each was the first to cover, and what none covers yet. */
export function AccountSeals({ newest, at }: AccountSealsProps): React.ReactNode {
  const { data } = useNewestSeals();
  const [now] = useState(() => Date.now());
  const seals = [...(data?.seals ?? [])].reverse();
  const oldest = seals[0];
  const last = seals.at(-1);
  if (!oldest || !last) return null;
  const events = newest.lines.filter(({ version }) => version !== null);
  const counts = seals.map(({ number }) => events.filter(({ seal }) => seal === number).length);
  const most = Math.max(...counts, 1);
  const covering = at === null ? undefined : seals.find(({ line }) => (readSealLine(line)?.startedAt ?? '') > at);
  const covered = events.find(({ seal }) => seal !== null)?.version ?? null;
  return (
    <section aria-labelledby="account-seals" className="mt-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="account-seals" className="display-sm text-24">
          Seals
        </h2>
        <p className="text-14 tabular-nums text-ink-2">
          {seals.length < last.number && `${seals.length} of ${last.number.toLocaleString('en-US')}. `}
          Newest {formatUtcSecond(startOf(last), now)}
          {covered !== null && `, covers this account to version ${covered.toLocaleString('en-US')}`}
        </p>
      </div>
      <ol className="mt-3 grid grid-cols-[repeat(15,minmax(0,1fr))] gap-1 sm:grid-cols-[repeat(30,minmax(0,1fr))]">
        {seals.map((seal, index) => (
          <SealBox
            key={seal.number}
            seal={seal}
            events={counts[index] ?? 0}
            most={most}
            marked={seal.number === covering?.number}
          />
        ))}
      </ol>
      <p className="mt-2 flex flex-wrap justify-between gap-x-6 text-13 tabular-nums text-ink-2">
        <span>
          {oldest.number}, {formatUtcNearDay(startOf(oldest), now)}
        </span>
        {oldest !== last && (
          <span>
            {last.number}, {formatUtcNearDay(startOf(last), now)}
          </span>
        )}
      </p>
      <p className="mt-1 text-13 text-ink-2">
        <span>
          Bars: events of this account that the seal was the first to cover
          {newest.lines.length < newest.total_lines && `, of the newest ${newest.lines.length} lines`}.
        </span>{' '}
        <Uncovered versions={events.flatMap(({ version, seal }) => (seal === null ? (version ?? []) : []))} />
      </p>
    </section>
  );
}

const startOf = ({ line, sealed_at: sealedAt }: LedgerSeal): string => readSealLine(line)?.startedAt ?? sealedAt;

interface SealBoxProps {
  readonly seal: LedgerSeal;
  readonly events: number;
  /** Events of the seal with the most. */
  readonly most: number;
  /** The first seal after the instant of the figures. */
  readonly marked: boolean;
}

function SealBox({ seal, events, most, marked }: SealBoxProps): React.ReactNode {
  const state = sealState(seal);
  const Icon = state === 'published' ? Stamp : state === 'late' ? Clock : CircleDashed;
  const counted = events === 0 ? '' : `, ${events} ${events === 1 ? 'event' : 'events'} of this account`;
  const name = `Seal ${seal.number}, ${formatUtcInstant(startOf(seal))}, ${STATES[state]}${counted}`;
  return (
    <li
      title={name}
      className={cx(
        'flex h-16 flex-col items-center justify-between rounded-[6px] border bg-surface pt-2',
        state === 'published' ? 'border-line text-good' : 'border-warn text-warn',
        marked && 'border-seal-mark outline outline-seal-mark',
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className="sr-only">{name}</span>
      {events > 0 && (
        <span aria-hidden className="w-2 bg-ink-2" style={{ height: `${Math.max(2, (events / most) * 32)}px` }} />
      )}
    </li>
  );
}

const STATES = {
  published: 'published',
  late: 'published late',
  waiting: 'not published yet',
  unreadable: 'not readable',
} as const;

/** The versions that no seal covers yet. The public log covers them within a minute. */
function Uncovered({ versions }: { readonly versions: readonly number[] }): React.ReactNode {
  if (versions.length === 0) return <span>All its events are sealed.</span>;
  const first = Math.min(...versions);
  const last = Math.max(...versions);
  return (
    <span>
      <CircleDashed aria-hidden className="inline size-3.5" />{' '}
      <span>
        {first === last ? `Version ${first} came` : `Versions ${first} to ${last} came`} after the newest seal:{' '}
        {first === last ? 'it is' : 'they are'} not sealed yet, only in the public log.
      </span>
    </span>
  );
}
