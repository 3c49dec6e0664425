import {
  CheckCheck,
  CircleDashed,
  CircleMinus,
  CirclePlus,
  Clock,
  CreditCard,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import { Fragment, useEffect, useRef, useState } from 'react';
import type { StatementEntry } from '../../../../../src/contract/audit.js';
import { HeadCells } from '../../../components/head-cells.js';
import { EmptyState } from '../../../components/states.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { formatUtcInstant, formatUtcSecond } from '../../../components/work-area/utc.js';
import { cx } from '../../../lib/cx.js';
import { signed } from '../../../lib/format.js';
import { shortHash, shortId } from '../audit-text.js';
import type { AccountView } from './use-account-view.js';
import type { AccountLines } from './use-account-lines.js';
import type { RowsInView } from './use-rows-in-view.js';

interface EventRowsProps {
  readonly lines: AccountLines;
  /** The rows that are drawn. */
  readonly rows: RowsInView;
  readonly view: AccountView;
  /** The screen is wide. */
  readonly wide: boolean;
}

const HEAD =
  'sticky top-0 z-1 h-9 bg-bg px-2 text-13 font-[400] text-ink-2 shadow-[inset_0_-1px_0_var(--line)] whitespace-nowrap';
/** The height of a row in pixels. On phones it has two lines. */
export function rowHeightOf(wide: boolean): number {
  return wide ? 36 : 52;
}
const ICONS: Readonly<Record<string, LucideIcon>> = {
  CreditsGranted: CirclePlus,
  CreditsPurchased: CreditCard,
  CreditsDeducted: CircleMinus,
  DeductionSettled: CheckCheck,
  CreditsRefunded: Undo2,
  lapsed: Clock,
};

const rowId = (version: number): string => `event-${version}`;

/**
 * The events of the account, the newest first, in a list of their own that draws and loads only what is in view. Those
 * after the instant are greyed; a rule separates them from the others.
 */
export function EventRows({ lines, rows, view, wide }: EventRowsProps): React.ReactNode {
  const { at, version: open } = view;
  const [now] = useState(() => Date.now());
  const until = at === null ? Number.POSITIVE_INFINITY : Date.parse(at);
  const rowHeight = rowHeightOf(wide);
  const { from, to, before, after, onScroll } = rows;
  const list = useRef<HTMLDivElement>(null);
  const openFrom = useKeyboard(lines, view, until, (index) => {
    const { current } = list;
    if (!current) return;
    const isInView =
      index * rowHeight >= current.scrollTop && (index + 2) * rowHeight <= current.scrollTop + current.clientHeight;
    if (!isInView) current.scrollTop = index * rowHeight - current.clientHeight / 2;
  });
  useEffect(openFrom);
  if (lines.total === 0) return <EmptyState title="No events" />;
  const indexes = Array.from({ length: to - from }, (_, index) => from + index);
  const columns = wide ? 7 : 4;
  return (
    <>
      <div
        ref={list}
        role="region"
        aria-label="Events"
        tabIndex={0}
        onScroll={onScroll}
        className="max-h-[max(28rem,calc(100dvh-8rem))] overflow-y-auto overscroll-y-auto rounded-sm"
      >
        <table
          aria-rowcount={lines.total + 1}
          className="w-full table-fixed border-separate border-spacing-0 text-14 tabular-nums"
        >
          <caption className="sr-only">Events of the account, the newest first</caption>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" className={cx(HEAD, 'w-14 text-right')}>
                <abbr title="Version" className="no-underline">
                  V
                </abbr>
              </th>
              <HeadCells
                cells={[
                  ['Time, UTC', cx(HEAD, 'w-[148px] text-left max-sm:hidden')],
                  ['Event', cx(HEAD, 'text-left')],
                  ['Credits', cx(HEAD, 'w-[72px] text-right')],
                  ['Balance', cx(HEAD, 'w-[76px] text-right')],
                  ['Hash', cx(HEAD, 'w-[84px] text-left max-lg:hidden')],
                  ['Seal', cx(HEAD, 'w-14 text-right max-lg:hidden')],
                ]}
              />
            </tr>
          </thead>
          <tbody>
            <Gap height={before} columns={columns} />
            {indexes.map((index) => {
              const line = lines.lineAt(index);
              if (!line) return <LoadingRow key={index} columns={columns} wide={wide} />;
              const later = Date.parse(line.at) > until;
              const previous = lines.lineAt(index - 1);
              const isFirst = at !== null && !later && (!previous || Date.parse(previous.at) > until);
              return (
                <Fragment key={index}>
                  {isFirst && <Rule at={at} line={line} columns={columns} />}
                  <Row line={line} index={index} now={now} later={later} open={line.version === open} view={view} />
                </Fragment>
              );
            })}
            <Gap height={after} columns={columns} />
          </tbody>
        </table>
      </div>
      <p className="mt-3 text-right text-14 tabular-nums text-ink-2">
        {lines.total === 1 ? '1 line' : `${lines.total.toLocaleString('en-US')} lines`}
      </p>
    </>
  );
}

/**
 * The keys of the list: the next event, and the instant of the next event.
 * @param show brings a line of the list into view
 * @returns an effect that moves the focus to the event that a key has opened, once its row is drawn
 */
function useKeyboard(lines: AccountLines, view: AccountView, until: number, show: (index: number) => void): () => void {
  const { at, version: open } = view;
  const wanted = useRef<number | null>(null);
  const { total, lineAt, loaded } = lines;
  const indexOf = (matches: (line: StatementEntry) => boolean): number => loaded.find(matches)?.index ?? -1;
  // The event before or after one whose line is not loaded: versions have no gaps.
  const openUnlisted = (version: number): void => {
    const newest = loaded.find((line) => line.version !== null)?.version ?? -1;
    wanted.current = null;
    if (version >= 0 && version <= newest) view.open(version);
  };
  const move = (step: 1 | -1): void => {
    // A key that is held down comes again before the page has opened the event of the last one.
    const current = wanted.current ?? open;
    const at = current === null ? -1 : indexOf(({ version }) => version === current);
    if (current !== null && at === -1) return openUnlisted(current - step);
    let index = current === null ? 0 : at + step;
    while (lineAt(index)?.version === null) index += current === null ? 1 : step;
    const version = lineAt(index)?.version;
    if (version === undefined || version === null) return;
    wanted.current = version;
    show(index);
    view.open(version);
  };
  // One event back or on: just at the time of that event.
  const step = (by: 1 | -1): void => {
    const found = at === null ? 0 : indexOf((line) => Date.parse(line.at) <= until);
    // Before the first event the way on leads to that one.
    let index = found === -1 ? total : found;
    // The line before it may be the one of the instant.
    if (index > 0 && !lineAt(index - 1)) return;
    do index += by;
    while (lineAt(index)?.version === null);
    const next = lineAt(index);
    if (next) {
      show(index);
      view.showAt(next.at);
    } else if (index < 0) view.showAt(null);
  };
  useKeys([
    { keys: ['J', 'K'], label: 'Event', run: (key) => move(key === 'J' ? 1 : -1) },
    { keys: ['[', ']'], label: 'As of, one event back or on', run: (key) => step(key === '[' ? 1 : -1) },
    { keys: ['Esc'], label: 'Close the event', quiet: true, run: () => view.open(null) },
  ]);
  return () => {
    if (wanted.current === null) return;
    const row = document.getElementById(rowId(wanted.current));
    if (!row) return;
    row.focus();
    wanted.current = null;
  };
}

/** In place of the rows that are not drawn. */
function Gap({ height, columns }: { readonly height: number; readonly columns: number }): React.ReactNode {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}

function LoadingRow({ columns, wide }: { readonly columns: number; readonly wide: boolean }): React.ReactNode {
  return (
    <tr aria-hidden="true" className={wide ? 'h-9' : 'h-13'}>
      <td colSpan={columns} className="border-b border-line px-2">
        <span className="block h-3 w-2/5 rounded-sm bg-hover" />
      </td>
    </tr>
  );
}

interface RuleProps {
  readonly at: string;
  readonly line: StatementEntry;
  readonly columns: number;
}

function Rule({ at, line, columns }: RuleProps): React.ReactNode {
  return (
    <tr>
      <td
        colSpan={columns}
        className="h-9 border-b-2 border-seal-mark px-2 text-13 font-[600] whitespace-nowrap text-seal-text"
      >
        As of {formatUtcInstant(at)}: balance {line.balance.toLocaleString('en-US')}
      </td>
    </tr>
  );
}

interface RowProps {
  readonly line: StatementEntry;
  readonly index: number;
  readonly now: number;
  /** After the instant of the figures. */
  readonly later: boolean;
  readonly open: boolean;
  readonly view: AccountView;
}

function Row({ line, index, now, later, open, view }: RowProps): React.ReactNode {
  const { version, at, what: type, reference, amount, balance, hash, seal } = line;
  const Icon = ICONS[type] ?? CheckCheck;
  const name = type === 'lapsed' ? 'Lapsed' : type;
  return (
    <tr
      aria-rowindex={index + 2}
      className={cx('h-13 sm:h-9 [&>td]:border-b [&>td]:border-line', open && 'bg-hover', later && 'text-ink-2')}
    >
      <td className={cx('px-2 text-right text-ink-2', open && 'row-mark')}>{version ?? ''}</td>
      <td className="px-2 whitespace-nowrap text-ink-2 max-sm:hidden">{formatUtcSecond(at, now)}</td>
      <td className="min-w-0 px-2">
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
              className={cx('min-h-6 rounded-sm text-left hover:underline sm:shrink-0', !later && 'font-[560]')}
            >
              {name}
            </button>
          )}
          <span translate="no" className="min-w-0 truncate text-13 text-ink-2 max-sm:hidden" title={reference}>
            {shortId(reference, 30)}
          </span>
        </span>
        <span className="block truncate text-13 text-ink-2 sm:hidden">{formatUtcSecond(at, now)}</span>
      </td>
      <td className={cx('px-2 text-right', amount > 0 && !later && 'text-good', amount === 0 && 'text-ink-3')}>
        {signed(amount)}
      </td>
      <td className={cx('px-2 text-right', !later && 'font-[560]')}>{balance.toLocaleString('en-US')}</td>
      <td className="px-2 text-ink-2 max-lg:hidden" title={hash ?? undefined}>
        {hash === null ? '' : shortHash(hash)}
      </td>
      <td className="px-2 text-right text-ink-2 max-lg:hidden">
        {version !== null &&
          (seal ?? (
            <>
              <CircleDashed aria-hidden className="inline size-4" />
              <span className="sr-only">not sealed yet</span>
            </>
          ))}
      </td>
    </tr>
  );
}
