import { useMutation } from '@tanstack/react-query';
import { Info, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { BookBalance, FigureChange, MonthClose, MonthClosing } from '../../../../../src/contract/finance.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { Skeleton } from '../../../components/skeleton.js';
import { toast } from '../../../components/toast.js';
import { Acts } from '../../../components/work-area/acts.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { cx } from '../../../lib/cx.js';
import { problemOf } from '../../../lib/problem-of.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { refreshRpc, useRpc } from '../../../lib/use-rpc.js';
import { amount, count, dollars, monthText, partsText } from '../finance-text.js';
import { Named } from '../../../components/name.js';
import { Problem } from '../../../components/states.js';

const CELL = 'py-1.5 sm:py-0.5';
const SIDE = `${CELL} pl-3 text-right`;

/** An obstacle is often gone within a minute, so the dialog asks again (milliseconds). */
const ASK_AGAIN_MS = 10_000;

interface CloseMonthProps {
  /** The first open month, which has ended: YYYY-MM; null: none can be closed. */
  readonly next: string | null;
  /** The newest attempt to close it; null: none. */
  readonly closing: MonthClose | null;
  /** The element that gets the focus after a close, because the button may be gone then. */
  readonly nextFocus: () => HTMLElement | null;
}

/** Offers to close the first open month, and follows its close. The dialog shows what becomes final. */
export function CloseMonth({ next, closing, nextFocus }: CloseMonthProps): React.ReactNode {
  // The month of the dialog stays the same when another person closes it meanwhile.
  const [asked, setAsked] = useState<string | null>(null);
  const followed = useRef<string | null>(null);
  const isClosed = useRef(false);
  useEffect(() => {
    if (closing?.state === 'waiting') followed.current = closing.month;
    if (followed.current === null || followed.current === next) return;
    toast({ kind: 'success', title: `${monthText.long(followed.current)} is closed.` });
    followed.current = null;
    isClosed.current = true;
    setAsked(null);
  }, [closing, next]);
  const month = asked ?? next;
  if (month === null) return null;
  const ask = (): void => {
    isClosed.current = false;
    setAsked(month);
  };
  return (
    <Acts>
      <Button onClick={ask}>
        {closing?.state === 'waiting' ? 'Closing' : 'Close'} {monthText.long(month)}...
      </Button>
      {asked !== null && (
        <CloseDialog
          month={asked}
          closing={closing}
          onAsked={() => (followed.current = asked)}
          onClose={() => setAsked(null)}
          nextFocus={() => (isClosed.current ? nextFocus() : null)}
        />
      )}
    </Acts>
  );
}

interface CloseDialogProps extends Omit<CloseMonthProps, 'next'> {
  readonly month: string;
  /** The server has stored the person's wish. */
  readonly onAsked: () => void;
  readonly onClose: () => void;
}

function CloseDialog({ month, closing, nextFocus, onAsked, onClose }: CloseDialogProps): React.ReactNode {
  const name = monthText.long(month);
  // The figures of before this time are not those that the person looks at.
  const [since, setSince] = useState(() => Date.now());
  const [leftBehind, setLeftBehind] = useState<string | null>(null);
  const send = useMutation({
    mutationFn: (figures: string) => reverifiedRpc('close_book_month', { p_month: month, p_figures: figures }),
    onSuccess: onAsked,
    onSettled: () => refreshRpc('list_revenue_months', 'get_month_closing', 'list_admin_acts'),
  });
  const isNews = closing?.month === month && !(send.data && send.data.asked_at > closing.asked_at);
  const newest = (isNews ? closing : send.data) ?? null;
  const followed = newest?.asked_at === leftBehind ? null : newest;
  const query = useRpc(
    'get_month_closing',
    {},
    {
      staleTime: 0,
      enabled: followed === null,
      refetchInterval: ({ state }) => ((state.data as MonthClosing | undefined)?.obstacle ? ASK_AGAIN_MS : false),
    },
  );
  const found = query.dataUpdatedAt >= since ? query.data : undefined;
  const ready = found?.month === month && found.obstacle === null && !query.isError;
  const hasEnded = followed?.state === 'changed' || followed?.state === 'refused';
  const lookAgain = (): void => {
    setLeftBehind(followed?.asked_at ?? null);
    setSince(Date.now());
    refreshRpc('get_month_closing');
  };
  return (
    <Modal
      open
      role="alertdialog"
      wide
      onOpenChange={(next) => next || onClose()}
      nextFocus={nextFocus}
      title={followed === null ? `Close ${name}?` : hasEnded ? `${name} was not closed` : `Closing ${name}`}
      description={
        followed === null ? (
          'These figures become final. What comes later is posted to an open month. A closed month cannot be opened again.'
        ) : (
          <Named text={askedText(followed)} name={followed.asked_by_name ?? followed.asked_by} />
        )
      }
      footer={
        <>
          <Button kind="solid" onClick={onClose}>
            {followed === null || hasEnded ? 'Keep it open' : 'Back to the page'}
          </Button>
          {followed === null ? (
            <Button
              disabled={!ready}
              busy={send.isPending}
              busyLabel="Closing..."
              onClick={() => found && send.mutate(found.figures)}
            >
              Close {name}
            </Button>
          ) : (
            hasEnded && <Button onClick={lookAgain}>Look again</Button>
          )}
        </>
      }
    >
      {followed === null ? (
        <Answer
          query={{ ...query, data: found }}
          words={loadWords('the figures')}
          skeleton={<Skeleton className="mt-4 h-64 rounded-sm" />}
        >
          {(figures) =>
            figures.month === month ? (
              <Figures closing={figures} />
            ) : (
              <Notes notes={[{ isObstacle: true, text: `${name} was closed meanwhile.` }]} />
            )
          }
        </Answer>
      ) : (
        <Progress closing={followed} />
      )}
      <Problem>{problemOf(send.error)}</Problem>
    </Modal>
  );
}

function askedText({ state, asked_at: at, asked_by: id, asked_by_name: name }: MonthClose): string {
  const asked = `${name ?? id} asked on ${formatUtcInstant(at)}.`;
  return state === 'waiting'
    ? `${asked} The month is closed with the figures that this person saw, or stays open.`
    : asked;
}

/** How far a close is: what it waits for, why it was refused, or the figures that changed. */
function Progress({ closing: { state, obstacle, changes } }: { readonly closing: MonthClose }): React.ReactNode {
  const text =
    state === 'changed'
      ? 'The month has other figures than this person saw. It is still open.'
      : (obstacle ?? 'The close is on its way.');
  return (
    <>
      <Notes notes={[{ isObstacle: state !== 'waiting' && state !== 'closed', text }]} />
      {changes.length > 0 && (
        <BalanceTable
          caption="Figures that changed, US dollars"
          sides={['Seen', 'Found']}
          rows={changes.map((change) => ({
            ...change,
            sides: [balanceText(change, 'seen'), balanceText(change, 'found')],
          }))}
        />
      )}
    </>
  );
}

/** `1,396.00 credit, 13,960 credits`: a balance with its side, and its credits if they changed. */
function balanceText(change: FigureChange, which: 'seen' | 'found'): string {
  const { [`${which}_cents` as const]: cents, [`${which}_credits` as const]: credits } = change;
  const side =
    cents === null ? 'unknown' : cents === 0 ? '0.00' : `${amount(Math.abs(cents))} ${cents > 0 ? 'debit' : 'credit'}`;
  // A liability in credits: what customers hold is positive.
  return change.seen_credits === change.found_credits ? side : `${side}, ${count(0 - credits)} credits`;
}

interface Note {
  /** It prevents the close. */
  readonly isObstacle: boolean;
  readonly text: string;
}

function Notes({ notes }: { readonly notes: readonly Note[] }): React.ReactNode {
  return (
    <ul className="mt-4 space-y-2 text-14" aria-live="polite">
      {notes.map(({ isObstacle, text }) => (
        <li key={text} className="flex items-start gap-1.5">
          {isObstacle ? (
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
          ) : (
            <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-2" />
          )}
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** Facts that the person must know before the close. */
function notesOf(closing: MonthClosing): Note[] {
  const { obstacle, processor_is_known: isKnown, open_transactions: open, open_cents: cents } = closing;
  const notes: Note[] = [];
  if (obstacle !== null) notes.push({ isObstacle: true, text: obstacle });
  if (!isKnown) {
    const text =
      'Nothing was read from the payment processor for this month. Its accounts stay unknown, and its fees come later.';
    notes.push({ isObstacle: false, text });
  }
  if (open > 0) {
    const [those, match] = open === 1 ? ['1 transaction', 'matches'] : [`${count(open)} transactions`, 'match'];
    const text = `${those} of the processor (${dollars(cents)}) ${match} nothing in the ledger yet. The month can be closed all the same.`;
    notes.push({ isObstacle: false, text });
  }
  return notes;
}

/** The trial balance that the close fixes: accounts with a balance, then the names of the others. */
function Figures({ closing }: { readonly closing: MonthClosing }): React.ReactNode {
  const { accounts, debit_cents: debit, credit_cents: credit } = closing;
  const notes = notesOf(closing);
  const isUnknown = ({ debit_cents, credit_cents }: BookBalance): boolean =>
    debit_cents === null || credit_cents === null;
  const isEmpty = (each: BookBalance): boolean => !each.debit_cents && !each.credit_cents && !each.credits;
  const unknown = accounts.filter(isUnknown);
  const empty = accounts.filter((each) => !isUnknown(each) && isEmpty(each));
  const rows = accounts.filter((each) => !isUnknown(each) && !isEmpty(each));
  return (
    <>
      {notes.length > 0 && <Notes notes={notes} />}
      <BalanceTable
        caption="Trial balance at the end of the month, US dollars"
        sides={['Debit', 'Credit']}
        rows={rows.map((row) => ({
          ...row,
          notes: (
            <>
              {row.credits ? <Note>{count(row.credits)} credits</Note> : null}
              {row.account === 2100 && closing.creator_share && <Note>{partsText(closing.creator_share)}</Note>}
            </>
          ),
          sides: [sideText(row.debit_cents), sideText(row.credit_cents)],
        }))}
        sum={[amount(debit), amount(credit)]}
      />
      {empty.length > 0 && <p className="mt-2 text-13 text-ink-2">Zero: {namesOf(empty)}.</p>}
      {unknown.length > 0 && <p className="mt-2 text-13 text-ink-2">Unknown: {namesOf(unknown)}.</p>}
    </>
  );
}

type Sides = readonly [string, string];

interface BalanceTableProps {
  readonly caption: string;
  readonly sides: Sides;
  readonly rows: readonly {
    readonly account: number;
    readonly name: string;
    readonly notes?: React.ReactNode;
    readonly sides: Sides;
  }[];
  readonly sum?: Sides;
}

/** Accounts with two columns. */
function BalanceTable({ caption, sides, rows, sum }: BalanceTableProps): React.ReactNode {
  return (
    <table className="mt-4 w-full text-13 leading-5 tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead className="text-left text-ink-2">
        <tr>
          <th scope="col" className={cx(CELL, 'font-[400]')}>
            Account, US dollars
          </th>
          {sides.map((side) => (
            <th key={side} scope="col" className={cx(SIDE, 'font-[400]')}>
              {side}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ account, name, notes, sides: [first, second] }) => (
          <tr key={account} className="border-t border-line align-top">
            <th scope="row" className={cx(CELL, 'text-left font-[400]')}>
              <span className="text-ink-2">{account}</span> <span>{name}</span>
              <span>{notes}</span>
            </th>
            <td className={SIDE}>{first}</td>
            <td className={SIDE}>{second}</td>
          </tr>
        ))}
      </tbody>
      {sum && (
        <tfoot className="border-t border-line-strong font-[600]">
          <tr>
            <th scope="row" className={cx(CELL, 'text-left font-[600]')}>
              Sum
            </th>
            <td className={SIDE}>{sum[0]}</td>
            <td className={SIDE}>{sum[1]}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** Under the name of an account; on wider screens next to it, so that the whole table fits. */
function Note({ children }: { readonly children: React.ReactNode }): React.ReactNode {
  return <span className="block text-ink-2 sm:ml-2 sm:inline">{children}</span>;
}

function namesOf(accounts: readonly BookBalance[]): string {
  return accounts.map(({ account, name }) => `${account} ${name}`).join(', ');
}

function sideText(cents: number | null): string {
  return cents === null || cents === 0 ? '' : amount(cents);
}
