import { useState } from 'react';
import { Link } from 'react-router-dom';
import { COUNTED_TO } from '../../../../../src/contract/limits.js';
import type { CountedPayoutStatement } from '../../../../../src/contract/payouts.js';
import { Button } from '../../../components/button.js';
import { HeadCells } from '../../../components/head-cells.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState, QueryProblem } from '../../../components/states.js';
import { ownDataTimings } from '../../../lib/own-data-timings.js';
import { payoutStatementPath } from '../../../lib/paths.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { formatShortDay } from '../dates.js';
import { count, money } from '../money.js';
import { counted } from '../../../lib/format.js';
import { dayBefore, lastDayBefore, payoutStateText } from '../payout-words.js';

const PAGE_SIZE = 6;

/** The payouts of a creator whose amounts are final, with their statements. */
export function PayoutList({ creatorId }: { readonly creatorId: string }): React.ReactNode {
  return (
    <section aria-labelledby="payouts-made" className="mt-12">
      <h2 id="payouts-made" className="display-sm text-32">
        Payouts
      </h2>
      <PayoutPages creatorId={creatorId} />
    </section>
  );
}

/** The payouts in pages, without a heading. */
export function PayoutPages({ creatorId }: { readonly creatorId: string }): React.ReactNode {
  /** Cursors of the pages up to this one; empty: the first page. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const before = cursors.at(-1);
  const query = useRpc(
    'list_payout_statements',
    { p_creator_id: creatorId, p_limit: PAGE_SIZE, ...(before === undefined ? {} : { p_before: before }) },
    ownDataTimings,
  );
  if (query.data === undefined) {
    if (!query.isError) return <Skeleton className="mt-4 h-40" />;
    return <QueryProblem className="mt-4" title="Error loading your payouts" retryLabel="Try Again" query={query} />;
  }
  const { statements, total, next } = query.data;
  if (statements.length === 0) {
    return (
      <EmptyState className="mt-4" title="No payouts yet">
        Each payout is listed here with its statement as soon as its amount is final.
      </EmptyState>
    );
  }
  return (
    <div aria-busy={query.isPlaceholderData}>
      <table className="mt-2 w-full border-collapse text-[0.9375rem] sm:text-16">
        <caption className="sr-only">Payouts, the latest first</caption>
        <thead>
          <tr className="h-11 border-b border-line text-13 text-ink-2 sm:text-14 [&>th]:px-1.5 [&>th]:font-[400] [&>th:first-child]:pl-0 [&>th:last-child]:pr-0">
            <HeadCells
              cells={[
                ['Payout', 'text-left'],
                ['Period', 'text-left max-sm:hidden'],
                ['Pictures', 'text-right max-sm:hidden'],
                ['Amount', 'text-right'],
                ['Statement', 'text-right'],
              ]}
            />
          </tr>
        </thead>
        <tbody>
          {statements.map((statement) => (
            <Row key={statement.payout_id} statement={statement} />
          ))}
        </tbody>
        <tfoot>
          <tr className="h-12 font-[600] [&>*]:px-1.5 [&>*:first-child]:pl-0">
            <th scope="row" className="text-left font-[600]">
              <span>{counted(total.payouts, 'payout')}</span>
              <span className="block text-13 font-[400] text-ink-2">Paid and on its way</span>
            </th>
            <td className="max-sm:hidden" />
            <td className="text-right font-[400] tabular-nums text-ink-2 max-sm:hidden">{pictures(total.pictures)}</td>
            <td className="text-right whitespace-nowrap tabular-nums">{money(total.amount_cents)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
      {statements.length > 0 && (
        <p className="mt-2 text-13 text-ink-2">
          The period has the days on which earnings became payable, 30 days after each picture. Its pictures are those
          of the earnings.
        </p>
      )}
      {(before !== undefined || next !== null) && (
        <nav aria-label="Pages of payouts" className="mt-4 flex gap-2">
          <Button size={32} disabled={before === undefined} onClick={() => setCursors(cursors.slice(0, -1))}>
            Previous
          </Button>
          <Button size={32} disabled={next === null} onClick={() => next !== null && setCursors([...cursors, next])}>
            Next
          </Button>
        </nav>
      )}
    </div>
  );
}

function Row({ statement }: { readonly statement: CountedPayoutStatement }): React.ReactNode {
  const { from, state, paid_on: paidOn } = statement;
  const day = lastDayBefore(statement.cutoff);
  const until = shortDay(dayBefore(statement.cutoff));
  const period = from === null ? `To ${until}` : `${formatShortDay(from, new Date(statement.cutoff))} to ${until}`;
  const name = state === 'paid' && paidOn !== null ? shortDay(paidOn) : payoutStateText(statement);
  // Its amount is payable again, so a later payout has it.
  const ended = state === 'failed' || state === 'cancelled';
  return (
    <tr className="h-12 border-b border-line [&>*]:px-1.5 [&>*]:py-2 [&>*:first-child]:pl-0 [&>*:last-child]:pr-0">
      <th scope="row" className="text-left font-[400]">
        <span>{name}</span>
        <span className="block text-13 text-ink-2 sm:hidden">
          {period}, {pictures(statement.pictures)} {statement.pictures === 1 ? 'picture' : 'pictures'}
        </span>
      </th>
      <td className="text-ink-2 tabular-nums max-sm:hidden">{period}</td>
      <td className="text-right text-ink-2 tabular-nums max-sm:hidden">{pictures(statement.pictures)}</td>
      <td className="text-right font-[600] whitespace-nowrap tabular-nums">
        {ended ? (
          <s className="font-[400] text-ink-2">{money(statement.amount_cents)}</s>
        ) : (
          money(statement.amount_cents)
        )}
      </td>
      <td className="text-right">
        <Link to={payoutStatementPath(statement.payout_id)} className="link tap text-14">
          Open<span className="sr-only"> the statement up to {day}</span>
        </Link>
      </td>
    </tr>
  );
}

/** `29 Sep 2026` */
function shortDay(iso: string): string {
  return formatShortDay(iso, new Date(0));
}

/** Counts end at 10,000. */
function pictures(value: number): string {
  return value >= COUNTED_TO ? `${count(COUNTED_TO)}+` : count(value);
}
