import { Link } from 'react-router-dom';
import type { BookMonth } from '../../../../../src/contract/finance.js';
import { Skeleton } from '../../../components/skeleton.js';
import { moneyText } from '../../../lib/money-parts.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { creatorsPath, deferredPath, entriesPath } from '../finance-paths.js';
import { count, dollars, endOfMonth, monthOf, monthsPeriod, monthText } from '../finance-text.js';

interface HeadlinesProps {
  /** Now. */
  readonly at: string;
  /** The latest first, at least one. */
  readonly months: readonly BookMonth[];
}

/** The four figures of the overview: of the last complete month, and what is owed at the end of the latest one. */
export function Headlines({ at, months }: HeadlinesProps): React.ReactNode {
  const latest = months[0]!;
  const shown = months.find(({ month }) => month !== monthOf(at)) ?? latest;
  const before = months[months.indexOf(shown) + 1];
  const open = shown.month === monthOf(at);
  const when = open ? `${monthText.name(shown.month)} so far` : monthText.name(shown.month);
  const end = latest.month === monthOf(at) ? at : endOfMonth(latest.month);
  const period = monthsPeriod(shown.month);
  return (
    <dl className="mt-5 grid border-y border-line py-4 sm:grid-cols-2 lg:grid-cols-4 max-sm:grid-cols-2 max-sm:gap-y-4">
      <Headline
        name={`Delivered in ${when}`}
        figure={dollars(shown.recognised_cents)}
        to={entriesPath({ accounts: [2100, 4000], ...period })}
      >
        {count(shown.recognised_credits)} paid credits
        {!open && before !== undefined && changeText(shown, before)}
      </Headline>
      <Headline
        name={`Bought in ${when}`}
        figure={dollars(shown.sold_cents)}
        to={entriesPath({ accounts: [1010], ...period })}
      >
        {shown.refunded_cents + shown.charged_back_cents === 0
          ? 'Nothing was returned'
          : `${dollars(shown.refunded_cents + shown.charged_back_cents)} returned`}
      </Headline>
      <Headline name="Deferred revenue" figure={dollars(latest.deferred_cents)} to={deferredPath(latest.month)}>
        {count(latest.deferred_credits)} unspent paid credits
      </Headline>
      <Owed at={end} now={latest.month === monthOf(at)} />
    </dl>
  );
}

function changeText(shown: BookMonth, before: BookMonth): string {
  if (before.recognised_cents <= 0) return '';
  const percent = ((shown.recognised_cents - before.recognised_cents) / before.recognised_cents) * 100;
  const sign = percent < 0 ? '−' : '+';
  return `, ${sign}${Math.abs(percent).toFixed(1)}% on ${monthText.name(before.month)}`;
}

/** @param props `now`: the instant is now, which the server knows best */
function Owed({ at, now }: { readonly at: string; readonly now: boolean }): React.ReactNode {
  const { data, isError, refetch } = useRpc('list_creator_liabilities', { p_limit: 1, ...(now ? {} : { p_at: at }) });
  const isMissing = data === undefined && isError;
  return (
    <Headline
      name="Owed to creators"
      figure={isMissing ? null : data && dollars(data.earned_cents - data.paid_cents)}
      to={creatorsPath(at)}
    >
      {isMissing && (
        <span role="alert">
          <span>Failed to load.</span>{' '}
          <button type="button" className="link tap" onClick={() => void refetch()}>
            Try Again
          </button>
        </span>
      )}
      {data && <span>{moneyText(data, ['paid'])}</span>}
      {data && (
        <span className="block">
          {dollars(data.earned_cents)} earned, {dollars(data.paid_cents)} paid
        </span>
      )}
    </Headline>
  );
}

interface HeadlineProps {
  readonly name: string;
  /** Undefined while it loads, null when it could not be loaded. */
  readonly figure: string | null | undefined;
  readonly to: string;
  readonly children: React.ReactNode;
}

function Headline({ name, figure, to, children }: HeadlineProps): React.ReactNode {
  return (
    <div className="border-line pr-4 sm:pl-5 sm:first:pl-0 lg:not-first:border-l max-sm:even:border-l max-sm:even:pl-4 sm:max-lg:even:border-l">
      <dt className="text-14 text-ink-2">{name}</dt>
      <dd className="mt-1 min-h-14 tabular-nums">
        {figure === undefined ? (
          <Skeleton className="h-8 w-32 rounded-sm" />
        ) : (
          figure !== null && (
            <Link to={to} className="display-sm block w-fit text-32 hover:underline">
              {figure}
            </Link>
          )
        )}
        <span className="mt-1 block text-13 text-ink-2">{children}</span>
      </dd>
    </div>
  );
}
