import { useMutation } from '@tanstack/react-query';
import { Info, TriangleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import type { BookBalance, MonthClosing } from '../../../../../src/contract/finance.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { Skeleton } from '../../../components/skeleton.js';
import { toast } from '../../../components/toast.js';
import { Acts } from '../../../components/work-area/acts.js';
import { Answer } from '../../../components/work-area/answer.js';
import { cx } from '../../../lib/cx.js';
import { problemOf } from '../../../lib/problem-of.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { refreshRpc, useRpc } from '../../../lib/use-rpc.js';
import { amount, count, dollars, monthText, partsText } from '../finance-text.js';

const CELL = 'py-1.5 sm:py-0.5';
const SIDE = `${CELL} pl-3 text-right`;

/** An obstacle is often gone within a minute, so the dialog asks again (milliseconds). */
const ASK_AGAIN_MS = 10_000;
const CAPTION = 'Trial balance at the end of the month, US dollars';

interface CloseMonthProps {
  /** The first open month, which has ended: YYYY-MM. */
  readonly month: string;
  /** The element that gets the focus after a close, because the button may be gone then. */
  readonly nextFocus: () => HTMLElement | null;
}

/** Offers to close the first open month. The dialog shows what becomes final. */
export function CloseMonth({ month, nextFocus }: CloseMonthProps): React.ReactNode {
  // The month of the dialog stays the same when another person closes it meanwhile.
  const [asked, setAsked] = useState<string | null>(null);
  return (
    <Acts>
      <Button onClick={() => setAsked(month)}>Close {monthText.long(month)}...</Button>
      {asked !== null && <CloseDialog month={asked} nextFocus={nextFocus} onClose={() => setAsked(null)} />}
    </Acts>
  );
}

interface CloseDialogProps extends CloseMonthProps {
  readonly onClose: () => void;
}

function CloseDialog({ month, nextFocus, onClose }: CloseDialogProps): React.ReactNode {
  const name = monthText.long(month);
  const query = useRpc(
    'get_month_closing',
    {},
    {
      staleTime: 0,
      refetchInterval: ({ state }) => ((state.data as MonthClosing | undefined)?.obstacle ? ASK_AGAIN_MS : false),
    },
  );
  const isClosed = useRef(false);
  const send = useMutation({
    mutationFn: () => reverifiedRpc('close_book_month', { p_month: month }),
    onSuccess: () => {
      isClosed.current = true;
      toast({ kind: 'success', title: `${name} is closed.` });
      onClose();
    },
    onSettled: () => {
      for (const call of ['list_revenue_months', 'get_month_closing', 'list_admin_acts'] as const) refreshRpc(call);
    },
  });
  // An answer of before the dialog can be that of the month before.
  const found = query.isFetchedAfterMount ? query.data : undefined;
  const ready = found?.month === month && found.obstacle === null && !query.isError;
  return (
    <Modal
      open
      role="alertdialog"
      wide
      onOpenChange={(next) => next || onClose()}
      nextFocus={() => (isClosed.current ? nextFocus() : null)}
      title={`Close ${name}?`}
      description="These figures become final. What comes later is posted to an open month. A closed month cannot be opened again."
      footer={
        <>
          <Button kind="solid" onClick={onClose}>
            Keep it open
          </Button>
          <Button disabled={!ready} busy={send.isPending} busyLabel="Closing..." onClick={() => send.mutate()}>
            Close {name}
          </Button>
        </>
      }
    >
      <Answer
        query={{ ...query, data: found }}
        failure="Failed to load the figures. Please try again."
        loadingText="Loading the figures..."
        skeleton={<Skeleton className="mt-4 h-64 rounded-sm" />}
      >
        {(closing) =>
          closing.month === month ? (
            <Figures closing={closing} />
          ) : (
            <Notes notes={[{ isObstacle: true, text: `${name} was closed meanwhile.` }]} />
          )
        }
      </Answer>
      <p role="alert" className="mt-3 text-14 text-bad empty:hidden">
        {problemOf(send.error)}
      </p>
    </Modal>
  );
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
      <table className="mt-4 w-full text-13 leading-5 tabular-nums">
        <caption className="sr-only">{CAPTION}</caption>
        <thead className="text-left text-ink-2">
          <tr>
            <th scope="col" className={cx(CELL, 'font-[400]')}>
              Account, US dollars
            </th>
            <th scope="col" className={cx(SIDE, 'font-[400]')}>
              Debit
            </th>
            <th scope="col" className={cx(SIDE, 'font-[400]')}>
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.account} className="border-t border-line align-top">
              <th scope="row" className={cx(CELL, 'text-left font-[400]')}>
                <span className="text-ink-2">{row.account}</span> <span>{row.name}</span>
                {row.credits ? <Note>{count(row.credits)} credits</Note> : null}
                {row.account === 2100 && closing.creator_share && <Note>{partsText(closing.creator_share)}</Note>}
              </th>
              <td className={SIDE}>{sideText(row.debit_cents)}</td>
              <td className={SIDE}>{sideText(row.credit_cents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot className="border-t border-line-strong font-[600]">
          <tr>
            <th scope="row" className={cx(CELL, 'text-left font-[600]')}>
              Sum
            </th>
            <td className={SIDE}>{amount(debit)}</td>
            <td className={SIDE}>{amount(credit)}</td>
          </tr>
        </tfoot>
      </table>
      {empty.length > 0 && <p className="mt-2 text-13 text-ink-2">Zero: {namesOf(empty)}.</p>}
      {unknown.length > 0 && <p className="mt-2 text-13 text-ink-2">Unknown: {namesOf(unknown)}.</p>}
    </>
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
