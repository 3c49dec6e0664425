import { CircleMinus, CirclePlus, Clock, CheckCheck, CreditCard, Undo2, type LucideIcon } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { StatementEntry } from '../../../../../src/contract/audit.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { STICKY_HEAD } from '../../../components/work-area/sticky-head.js';
import { formatUtcInstant, formatUtcSecond } from '../../../components/work-area/utc.js';
import { EmptyState } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { shortId, signedCredits } from '../audit-text.js';
import type { AccountView } from './use-account-view.js';

interface EventRowsProps {
  /** The newest first. */
  readonly lines: readonly StatementEntry[];
  readonly view: AccountView;
}

const HEAD = `h-9 px-2 text-13 font-[400] text-ink-2 ${STICKY_HEAD}`;
const ICONS: Readonly<Record<string, LucideIcon>> = {
  CreditsGranted: CirclePlus,
  CreditsPurchased: CreditCard,
  CreditsDeducted: CircleMinus,
  DeductionSettled: CheckCheck,
  CreditsRefunded: Undo2,
  lapsed: Clock,
};

const rowId = (version: number): string => `event-${version}`;

/** The lines of the statement. Those after the instant are greyed; a rule separates them from the others. */
export function EventRows({ lines, view }: EventRowsProps): React.ReactNode {
  const { at, version: open } = view;
  const [now] = useState(() => Date.now());
  const until = at === null ? Number.POSITIVE_INFINITY : Date.parse(at);
  const events = lines.filter((line): line is StatementEntry & { version: number } => line.version !== null);
  const current = events.find(({ version }) => version === open) ?? events[0];
  const move = (step: 1 | -1): void => {
    const next = open === null ? current : events[events.findIndex(({ version }) => version === open) + step];
    if (!next) return;
    view.open(next.version);
    document.getElementById(rowId(next.version))?.focus();
  };
  // One event back or on: just at the time of that event.
  const step = (by: 1 | -1): void => {
    const index = at === null ? 0 : events.findIndex((line) => Date.parse(line.at) <= until);
    const next = events[index + by];
    if (next) view.showAt(next.at);
    else if (by === -1) view.showAt(null);
  };
  useKeys([
    { keys: ['J', 'K'], label: 'Event', run: (key) => move(key === 'J' ? 1 : -1) },
    { keys: ['[', ']'], label: 'As of, one event back or on', run: (key) => step(key === '[' ? 1 : -1) },
    { keys: ['Esc'], label: 'Close the event', quiet: true, run: () => view.open(null) },
  ]);
  if (lines.length === 0) return <EmptyState title="No events on this page" />;
  const firstCounted = lines.findIndex((line) => Date.parse(line.at) <= until);
  return (
    <table className="w-full table-fixed border-collapse text-14 tabular-nums">
      <caption className="sr-only">Events of the account, the newest first</caption>
      <thead>
        <tr>
          <th scope="col" className={cx(HEAD, 'w-12 text-right')}>
            <abbr title="Version" className="no-underline">
              V
            </abbr>
          </th>
          <th scope="col" className={cx(HEAD, 'w-[148px] text-left max-sm:hidden')}>
            Time, UTC
          </th>
          <th scope="col" className={cx(HEAD, 'text-left')}>
            Event
          </th>
          <th scope="col" className={cx(HEAD, 'w-[72px] text-right')}>
            Credits
          </th>
          <th scope="col" className={cx(HEAD, 'w-[76px] text-right')}>
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <Fragment key={line.version ?? `${line.what}-${line.reference}-${line.at}`}>
            {at !== null && index === firstCounted && <Rule at={at} line={line} />}
            <Row line={line} now={now} later={Date.parse(line.at) > until} open={line.version === open} view={view} />
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Rule({ at, line }: { readonly at: string; readonly line: StatementEntry }): React.ReactNode {
  return (
    <tr>
      <td colSpan={5} className="border-b-2 border-seal-mark px-2 py-1.5 text-13 font-[600] text-seal-text">
        As of {formatUtcInstant(at)}: balance {line.balance.toLocaleString('en-US')}
      </td>
    </tr>
  );
}

interface RowProps {
  readonly line: StatementEntry;
  readonly now: number;
  /** After the instant of the figures. */
  readonly later: boolean;
  readonly open: boolean;
  readonly view: AccountView;
}

function Row({ line, now, later, open, view }: RowProps): React.ReactNode {
  const { version, at, what: type, reference, amount, balance } = line;
  const Icon = ICONS[type] ?? CheckCheck;
  const name = type === 'lapsed' ? 'Lapsed' : type;
  return (
    <tr className={cx('relative h-9 border-b border-line', open && 'bg-hover', later && 'text-ink-2')}>
      <td
        className={cx(
          'px-2 text-right text-ink-2',
          open && 'before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-seal-mark',
        )}
      >
        {version ?? ''}
      </td>
      <td className="px-2 whitespace-nowrap text-ink-2 max-sm:hidden">{formatUtcSecond(at, now)}</td>
      <td className="min-w-0 px-2 py-1.5">
        <span className="flex min-w-0 items-center gap-2">
          <Icon aria-hidden className="size-4 shrink-0 text-ink-2" />
          {version === null ? (
            <span>{name}</span>
          ) : (
            <button
              type="button"
              id={rowId(version)}
              aria-expanded={open}
              onClick={() => view.open(open ? null : version)}
              className={cx('min-h-6 rounded-sm text-left hover:underline', !later && 'font-[560]')}
            >
              {name}
            </button>
          )}
          <span className="min-w-0 truncate text-13 text-ink-2 max-sm:hidden" title={reference}>
            {shortId(reference, 30)}
          </span>
        </span>
        <span className="text-13 text-ink-2 sm:hidden">{formatUtcSecond(at, now)}</span>
      </td>
      <td className={cx('px-2 text-right', amount > 0 && !later && 'text-good', amount === 0 && 'text-ink-3')}>
        {signedCredits(amount)}
      </td>
      <td className={cx('px-2 text-right', !later && 'font-[560]')}>{balance.toLocaleString('en-US')}</td>
    </tr>
  );
}
