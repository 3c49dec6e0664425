import type { CreatorAnalytics } from '../../../../../src/contract/revenue.js';
import { Skeleton } from '../../../components/skeleton.js';
import { cx } from '../../../lib/cx.js';
import { monthSoFar } from '../dates.js';
import { count, dollars } from '../money.js';

/** The three figures of the Revenue tab; skeletons of the same size while they load. */
export function EarningsCards({ analytics }: { analytics: CreatorAnalytics | undefined }): React.ReactNode {
  const { revenue, stats, this_month: month } = analytics ?? {};
  return (
    <div className="grid grid-cols-2 gap-2.5 sm:gap-4 md:grid-cols-[1.35fr_1fr_1fr]">
      <Card
        label="All-Time Earnings"
        value={revenue && dollars(revenue.all_time_earnings)}
        note="From paid credit generations"
        className="col-span-2 md:col-span-1"
        large
      />
      <Card
        label="This Month"
        value={revenue && dollars(revenue.this_month_earnings)}
        note={month ? monthSoFar(month.month) : ' '}
      />
      <Card
        label="Paid Generations"
        value={stats && count(stats.paid_generations)}
        note="Half of each one's price is yours"
      />
    </div>
  );
}

interface CardProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly note: string;
  readonly className?: string;
  readonly large?: boolean;
}

function Card({ label, value, note, className, large = false }: CardProps): React.ReactNode {
  const size = large ? 'text-[3.25rem] md:text-64' : 'text-[2.5rem] md:text-64';
  return (
    <dl
      className={cx(
        'rounded-panel border border-line bg-surface px-[18px] py-4 [container-type:inline-size] sm:p-6',
        className,
      )}
    >
      <dt className="text-14 text-ink-2">{label}</dt>
      <dd className={cx('display mt-4 tabular-nums', size)}>
        {value ?? <Skeleton className="h-[0.94em] w-3/4 rounded-sm" />}
      </dd>
      <dd className="mt-3 text-14 text-ink-2">{note}</dd>
    </dl>
  );
}
