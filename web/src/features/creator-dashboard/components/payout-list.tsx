import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ListedPayoutStatement } from '../../../../../src/contract/payouts.js';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState, ErrorState } from '../../../components/states.js';
import { ownDataTimings } from '../../../lib/own-data-timings.js';
import { payoutStatementPath } from '../../../lib/paths.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { money } from '../money.js';
import { lastDayBefore, payoutStateText } from '../payout-words.js';
import { problemOf } from '../../../lib/problem-of.js';

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
  /** Places of the pages up to this one; empty: the first page. */
  const [places, setPlaces] = useState<readonly string[]>([]);
  const before = places.at(-1);
  const query = useRpc(
    'list_payout_statements',
    { p_creator_id: creatorId, p_limit: PAGE_SIZE, ...(before === undefined ? {} : { p_before: before }) },
    ownDataTimings,
  );
  if (query.data === undefined) {
    if (!query.isError) return <Skeleton className="mt-4 h-40" />;
    return (
      <ErrorState
        className="mt-4"
        title="Error loading your payouts"
        retryLabel="Try Again"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {problemOf(query.error)}
      </ErrorState>
    );
  }
  const { statements, next } = query.data;
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
          <tr className="h-11 border-b border-line text-13 text-ink-2 sm:text-14 [&>th]:font-[400]">
            <th scope="col" className="pr-1.5 text-left">
              Earnings up to
            </th>
            <th scope="col" className="pl-1.5 text-right">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {statements.map((statement) => (
            <Row key={statement.payout_id} statement={statement} />
          ))}
        </tbody>
      </table>
      {(before !== undefined || next !== null) && (
        <nav aria-label="Pages of payouts" className="mt-4 flex gap-2">
          <Button size={32} disabled={before === undefined} onClick={() => setPlaces(places.slice(0, -1))}>
            Previous
          </Button>
          <Button size={32} disabled={next === null} onClick={() => next !== null && setPlaces([...places, next])}>
            Next
          </Button>
        </nav>
      )}
    </div>
  );
}

function Row({ statement }: { readonly statement: ListedPayoutStatement }): React.ReactNode {
  const day = lastDayBefore(statement.cutoff);
  return (
    <tr className="h-14 border-b border-line">
      <th scope="row" className="py-2 pr-1.5 text-left font-[400]">
        <span className="flex flex-col gap-x-4 sm:flex-row sm:items-baseline">
          <span>{day}</span>
          <Link to={payoutStatementPath(statement.payout_id)} className="link tap w-fit text-13 text-ink-2">
            Statement<span className="sr-only"> up to {day}</span>
          </Link>
        </span>
        <span className="block text-13 text-ink-2">{payoutStateText(statement)}</span>
      </th>
      <td className="py-2 pl-1.5 text-right whitespace-nowrap tabular-nums">{money(statement.amount_cents)}</td>
    </tr>
  );
}
