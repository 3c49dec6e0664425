import {
  BrainCircuit,
  Flag,
  Hourglass,
  MessageSquareX,
  RefreshCw,
  Scale,
  UserRoundPlus,
  Wallet,
  type LucideIcon,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { AdminQueue, QueueKind } from '../../../../../src/contract/admin.js';
import { buttonClass } from '../../../components/button.js';
import { EmptyState } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { since } from '../../../components/work-area/since.js';
import { queueText } from './queue-text.js';
import { Named } from '../../../components/name.js';

const ICONS: Readonly<Record<QueueKind, LucideIcon>> = {
  urgent_reports: Flag,
  reports: Flag,
  take_downs: Hourglass,
  refused_prompts: MessageSquareX,
  applications: UserRoundPlus,
  without_model: BrainCircuit,
  model_deletions: BrainCircuit,
  credit_proposals: Wallet,
  payment_problems: Scale,
  stuck_checkouts: Scale,
  ledger_problems: Scale,
};

interface NeedsAPersonProps {
  readonly queues: readonly AdminQueue[];
  /** When the queues were read, milliseconds since 1970. */
  readonly now: number;
}

/** All queues as one list, the most urgent first. One tab stop; J and K move. */
export function NeedsAPerson({ queues, now }: NeedsAPersonProps): React.ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const [stop, setStop] = useState(0);
  const links = (): HTMLAnchorElement[] => [...(list.current?.querySelectorAll('a') ?? [])];
  const move = (step: 1 | -1): void => {
    const all = links();
    const at = all.findIndex((link) => link === document.activeElement);
    all[at === -1 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
  };
  useKeys([
    { keys: ['J', 'K'], label: 'Move', run: (key) => move(key === 'J' ? 1 : -1) },
    { keys: ['↓', '↑'], label: 'Next, previous row', quiet: true, run: (key) => move(key === '↓' ? 1 : -1) },
  ]);
  const tabStop = Math.min(stop, queues.length - 1);
  return (
    <section aria-labelledby="needs">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="needs" className="display-sm text-32">
          Needs a person
        </h2>
        <p className="hidden items-center gap-1 text-14 text-ink-2 sm:flex">
          <RefreshCw aria-hidden className="size-3.5" />
          Live, the most urgent first
        </p>
      </div>
      {queues.length === 0 ? (
        <EmptyState className="mt-3" title="Nothing waits">
          New reports, applications and problems appear here.
        </EmptyState>
      ) : (
        <ul ref={list} className="mt-3">
          {queues.map((queue, index) => (
            <Row key={queue.kind} queue={queue} now={now} tabStop={index === tabStop} onFocus={() => setStop(index)} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface RowProps {
  readonly queue: AdminQueue;
  readonly now: number;
  readonly tabStop: boolean;
  readonly onFocus: () => void;
}

function Row({ queue, now, tabStop, onFocus }: RowProps): React.ReactNode {
  const { title, detail, to, action } = queueText(queue);
  const Icon = ICONS[queue.kind];
  const urgent = queue.kind === 'urgent_reports' || queue.overdue > 0;
  return (
    <li className="relative flex min-h-15 flex-wrap items-center gap-x-3.5 gap-y-2.5 border-b border-line px-2.5 first:border-t focus-within:bg-surface focus-within:shadow-[inset_2px_0_0_var(--seal-mark)] has-[a:hover]:bg-surface max-sm:py-3">
      <span
        className={cx(
          'flex size-8 shrink-0 items-center justify-center rounded-[7px]',
          urgent ? 'bg-seal-wash text-seal-text' : 'bg-raised text-ink-2',
        )}
      >
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-[560] sm:truncate">
          <Named text={title} name={queue.names} />
        </p>
        <p className="text-13 text-ink-2 sm:truncate">{detail}</p>
      </div>
      {queue.oldest_at !== null && (
        <span className="text-14 whitespace-nowrap text-ink-2 tabular-nums">{since(queue.oldest_at, now)}</span>
      )}
      <Link
        to={to}
        aria-label={`${action}: ${title}`}
        tabIndex={tabStop ? 0 : -1}
        onFocus={onFocus}
        className={buttonClass({ kind: 'line', size: 32 }, 'w-28 max-sm:ml-11.5 max-sm:w-[calc(100%-46px)]')}
      >
        {action}
      </Link>
    </li>
  );
}
