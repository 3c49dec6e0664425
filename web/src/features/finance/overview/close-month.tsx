import { useMutation } from '@tanstack/react-query';
import { LockKeyhole, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { BookMonth, MonthClosing } from '../../../../../src/contract/finance.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { toast } from '../../../components/toast.js';
import { Acts } from '../../../components/work-area/acts.js';
import { Answer } from '../../../components/work-area/answer.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { problemOf } from '../../../lib/problem-of.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { refreshRpc, useRpc } from '../../../lib/use-rpc.js';
import { amount, dollars, monthText } from '../finance-text.js';

/** Who closed the month, and when. Nothing for an open month. */
export function ClosedMark({ month }: { readonly month: BookMonth }): React.ReactNode {
  const { closed_at: at, closed_by: id, closed_by_name: name } = month;
  if (at === null) return null;
  return (
    <span className="flex items-center gap-1 text-13 font-normal whitespace-nowrap text-ink-2">
      <LockKeyhole aria-hidden className="size-3.5 shrink-0" />
      <span>
        Closed {formatUtcDay(at)}
        <span className="block max-w-40 truncate">by {name ?? id}</span>
      </span>
    </span>
  );
}

/** Offers to close the first open month. The dialog shows what becomes final. */
export function CloseMonth({ month }: { readonly month: string }): React.ReactNode {
  const [asked, setAsked] = useState(false);
  return (
    <Acts>
      <Button kind="quiet" onClick={() => setAsked(true)}>
        Close {monthText.long(month)}...
      </Button>
      {asked && <CloseDialog month={month} onClose={() => setAsked(false)} />}
    </Acts>
  );
}

function CloseDialog({ month, onClose }: { readonly month: string; readonly onClose: () => void }): React.ReactNode {
  const query = useRpc('get_month_closing', {}, { staleTime: 0 });
  const name = monthText.long(month);
  const send = useMutation({
    mutationFn: () => reverifiedRpc('close_book_month', { p_month: month }),
    onSuccess: () => {
      toast({ kind: 'success', title: `${name} is closed.` });
      onClose();
    },
    onSettled: () => {
      for (const call of ['list_revenue_months', 'get_month_closing', 'list_admin_acts'] as const) refreshRpc(call);
    },
  });
  const found = query.data;
  const ready = found?.month === month && found.obstacle === null;
  return (
    <Modal
      open
      onOpenChange={(next) => next || onClose()}
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
        query={query}
        failure="Failed to load the figures. Please try again."
        loadingText="Loading the figures..."
        skeleton={<div className="h-64" />}
      >
        {(data) => <Figures closing={data} />}
      </Answer>
      <p role="alert" className="mt-3 text-14 text-bad empty:hidden">
        {problemOf(send.error)}
      </p>
    </Modal>
  );
}

function Figures({ closing }: { readonly closing: MonthClosing }): React.ReactNode {
  const { obstacle, processor_is_known: isKnown, open_transactions: open, open_cents: openCents } = closing;
  const notes = [
    ...(obstacle === null ? [] : [obstacle]),
    ...(isKnown
      ? []
      : [
          'Nothing was read from the payment processor for this month. Its accounts stay unknown, and its fees come later.',
        ]),
    ...(open === 0
      ? []
      : [
          `${open} ${open === 1 ? 'transaction' : 'transactions'} of the processor (${dollars(openCents)}) match nothing in the ledger yet. That is no obstacle.`,
        ]),
  ];
  return (
    <>
      {notes.length > 0 && (
        <ul className="mb-4 space-y-2 text-14">
          {notes.map((note) => (
            <li key={note} className="flex items-start gap-1.5">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
              {note}
            </li>
          ))}
        </ul>
      )}
      <table className="w-full text-13 tabular-nums">
        <caption className="sr-only">Trial balance at the end of the month, US dollars</caption>
        <thead className="text-left text-ink-2">
          <tr>
            <th scope="col" className="py-1 font-normal">
              Account, US dollars
            </th>
            <th scope="col" className="py-1 pl-3 text-right font-normal">
              Debit
            </th>
            <th scope="col" className="py-1 pl-3 text-right font-normal">
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {closing.accounts.map(({ account, name, debit_cents: debit, credit_cents: credit }) => (
            <tr key={account} className="border-t border-line">
              <th scope="row" className="py-1 text-left font-normal">
                <span className="mr-2 text-ink-2">{account}</span>
                {name}
              </th>
              <td className="py-1 pl-3 text-right">{sideText(debit)}</td>
              <td className="py-1 pl-3 text-right">{sideText(credit)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-strong font-semibold">
            <th scope="row" className="py-1 text-left">
              Sum
            </th>
            <td className="py-1 pl-3 text-right">{amount(closing.debit_cents)}</td>
            <td className="py-1 pl-3 text-right">{amount(closing.credit_cents)}</td>
          </tr>
        </tfoot>
      </table>
    </>
  );
}

function sideText(cents: number | null): string {
  return cents === null ? 'unknown' : cents === 0 ? '' : amount(cents);
}
