import type { CreatorAnalytics } from '../../../../../src/contract/revenue.js';
import { Skeleton } from '../../../components/skeleton.js';
import { cx } from '../../../lib/cx.js';
import { moneyParts } from '../../../lib/money-parts.js';
import { money } from '../money.js';

const PARTS = {
  paid: 'bg-inverse',
  under_way: 'bg-chart-paid opacity-60',
  payable: 'bg-chart-paid',
  pending: 'border-[1.5px] border-dashed border-chart-paid',
  debt: 'border-[1.5px] border-bad',
} as const;

const NOTES = {
  paid: 'Paid out',
  under_way: 'In a payout that is not paid yet',
  payable: 'In the next payout',
  pending: 'Payable 30 days after each picture',
  debt: 'Taken back after a payout. Later earnings cover it first',
} as const;

const NOTHING = {
  earned_cents: 0,
  pending_cents: 0,
  payable_cents: 0,
  under_way_cents: 0,
  paid_cents: 0,
  debt_cents: 0,
};

/** The earnings by where the money is. The parts add up to all earnings. */
export function MoneyBar({ revenue }: { revenue: CreatorAnalytics['revenue'] | undefined }): React.ReactNode {
  const parts = moneyParts(revenue ?? NOTHING);
  return (
    <section aria-label="Where your earnings stand" className="mt-6">
      <div aria-hidden className="flex h-3.5 gap-[3px] overflow-hidden rounded-[4px] bg-hover">
        {parts
          .filter(({ cents }) => cents > 0)
          .map(({ id, cents }) => (
            <div
              key={id}
              data-part={id}
              className={cx('min-w-1 bg-bg', id === 'pending' && 'rounded-r-[4px]')}
              style={{ flexGrow: cents }}
            >
              <div className={cx('h-full', id === 'pending' && 'rounded-r-[4px]', PARTS[id])} />
            </div>
          ))}
      </div>
      <dl className="mt-4 grid grid-cols-2 gap-y-4 sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none">
        {parts.map(({ id, label, cents }) => (
          <div
            key={id}
            className="border-line even:border-l even:pl-5 odd:last:col-span-2 sm:border-l sm:pl-5 sm:first:border-0 sm:first:pl-0 sm:odd:last:col-span-1"
          >
            <dt className="flex items-center gap-2 text-14 text-ink-2">
              <span aria-hidden className={cx('size-3 shrink-0 rounded-[3px]', PARTS[id])} />
              <span>{label}</span>
            </dt>
            <dd className="display-sm mt-2 text-[1.75rem] tabular-nums sm:text-32">
              {revenue === undefined ? <Skeleton className="h-8 w-28 rounded-sm" /> : money(cents)}
            </dd>
            <dd className="mt-1.5 text-13 text-ink-2">
              {id === 'paid' && revenue?.paid_cents === 0 ? 'No payout yet' : NOTES[id]}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
