import type { CreatorAnalytics } from '../../../../../src/contract/revenue.js';
import { Skeleton } from '../../../components/skeleton.js';
import { cx } from '../../../lib/cx.js';
import { money } from '../money.js';

const PARTS = {
  paid: 'bg-inverse',
  payable: 'bg-chart-paid',
  pending: 'border-[1.5px] border-dashed border-chart-paid',
} as const;

/** The earnings by state, as parts of one bar: paid out, payable with what is on its way, and pending. */
export function MoneyBar({ revenue }: { revenue: CreatorAnalytics['revenue'] | undefined }): React.ReactNode {
  const underWay = revenue?.under_way_cents ?? 0;
  const parts = [
    {
      id: 'paid',
      label: 'Paid',
      cents: revenue?.paid_cents,
      note: revenue?.paid_cents === 0 ? 'No payout yet' : 'Paid out to you',
    },
    {
      id: 'payable',
      label: 'Payable',
      cents: revenue?.payable_cents,
      note: underWay > 0 ? `${money(underWay)} more is on its way` : 'In the next payout',
    },
    { id: 'pending', label: 'Pending', cents: revenue?.pending_cents, note: 'Payable 30 days after each picture' },
  ] as const;
  return (
    <section aria-label="Where your earnings stand" className="mt-6">
      <div aria-hidden className="flex h-3.5 gap-[3px] overflow-hidden rounded-[4px] bg-hover">
        {parts.map(({ id, cents = 0 }) => {
          const width = id === 'payable' ? cents + underWay : cents;
          if (width <= 0) return null;
          return (
            <div
              key={id}
              data-part={id}
              className={cx('min-w-1 bg-bg', id === 'pending' && 'rounded-r-[4px]')}
              style={{ flexGrow: width }}
            >
              <div className={cx('h-full', id === 'pending' && 'rounded-r-[4px]', PARTS[id])} />
            </div>
          );
        })}
      </div>
      <dl className="mt-4 grid grid-cols-2 gap-y-4 sm:grid-cols-3">
        {parts.map(({ id, label, cents, note }, index) => (
          <div
            key={id}
            className={cx(
              index === 1 && 'border-l border-line pl-5',
              index === 2 && 'col-span-2 sm:col-span-1 sm:border-l sm:border-line sm:pl-5',
            )}
          >
            <dt className="flex items-center gap-2 text-14 text-ink-2">
              <span aria-hidden className={cx('size-3 rounded-[3px]', PARTS[id])} />
              <span>{label}</span>
            </dt>
            <dd className="display-sm mt-2 text-[1.75rem] tabular-nums sm:text-32">
              {cents === undefined ? <Skeleton className="h-8 w-28 rounded-sm" /> : money(cents)}
            </dd>
            <dd className="mt-1.5 text-13 text-ink-2">{note}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
