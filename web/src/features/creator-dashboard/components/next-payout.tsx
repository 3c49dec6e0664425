import { Link } from 'react-router-dom';
import type { CreatorAnalytics } from '../../../../../src/contract/revenue.js';
import { Skeleton } from '../../../components/skeleton.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { formatDay, formatShortDay, nextMonth } from '../dates.js';
import { money } from '../money.js';

const DAY_MS = 86_400_000;
/** An earning is payable after these days. */
const PENDING_DAYS = 30;

/** Contents of the next payout, as far as they are known. */
export function NextPayout({
  analytics,
  embedded,
}: {
  analytics: CreatorAnalytics | undefined;
  embedded: boolean;
}): React.ReactNode {
  return (
    <section aria-labelledby="next-payout" className="mt-12">
      <h2 id="next-payout" className="display-sm text-32">
        Next payout
      </h2>
      {analytics ? <Rows analytics={analytics} embedded={embedded} /> : <Skeleton className="mt-4 h-40" />}
    </section>
  );
}

function Rows({ analytics, embedded }: { analytics: CreatorAnalytics; embedded: boolean }): React.ReactNode {
  const { revenue, this_month: month } = analytics;
  const payday = nextMonth(month.month);
  const lastDelivery = new Date(payday.getTime() - PENDING_DAYS * DAY_MS);
  const paydayText = payday.toISOString();
  const expected = revenue.payable_cents + revenue.payable_by_next_month_cents - revenue.debt_cents;
  return (
    <>
      <dl className="mt-3 text-14">
        <Row label="Payable today">
          <span className="font-[600]">{money(revenue.payable_cents)}</span>
        </Row>
        <Row label={`Becomes payable by ${formatDay(paydayText).replace(/ \d{4}$/, '')}`}>
          {money(revenue.payable_by_next_month_cents)}
        </Row>
        {revenue.debt_cents > 0 && <Row label="Debt, taken back after a payout">{money(-revenue.debt_cents)}</Row>}
        <Row label="Next payout on">{formatShortDay(paydayText, new Date(0))}</Row>
        {revenue.held_until !== null && (
          <Row label={embedded ? 'Held until' : 'Held by Fanvas until'}>{formatDay(revenue.held_until)}</Row>
        )}
        {!embedded && <Account />}
      </dl>
      <p className="mt-3 text-13 text-ink-2">
        <span>
          Forecast: pictures delivered until {formatDay(lastDelivery.toISOString())}, if none of them is refunded.
          {revenue.debt_cents > 0 && ' Later earnings cover first what was taken back.'}
          {expected < revenue.payout_minimum_cents &&
            ` A payout below ${money(revenue.payout_minimum_cents)} waits for the next one.`}
        </span>{' '}
        {!embedded && (
          <Link to="?tab=controls#payouts" className="link">
            Payout details
          </Link>
        )}
      </p>
    </>
  );
}

/** The account's last characters, and whether a change holds payouts. Nothing before they are known. */
function Account(): React.ReactNode {
  const { data } = useRpc('get_own_payout_details_by_jwt', {});
  if (!data) return null;
  const [details] = data;
  if (!details)
    return (
      <Row label="To the account">
        Not given yet.{' '}
        <Link to="?tab=controls#payouts" className="link">
          Enter it
        </Link>
      </Row>
    );
  return (
    <>
      <Row label="To the account ending">{details.account_ending}</Row>
      {details.held_until !== null && <Row label="Held after a change until">{formatDay(details.held_until)}</Row>}
    </>
  );
}

function Row({ label, children }: { label: string; children: React.ReactNode }): React.ReactNode {
  return (
    <div className="flex justify-between gap-4 border-b border-line py-2.5 last:border-0">
      <dt className="text-ink-2">{label}</dt>
      <dd className="text-right tabular-nums">{children}</dd>
    </div>
  );
}
