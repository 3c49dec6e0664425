import type { CreatorAnalytics } from '../../../../../src/contract/revenue.js';
import { Skeleton } from '../../../components/skeleton.js';
import { count } from '../money.js';

/** How many images and fans there are. */
export function AnalyticsOverview({ stats }: { stats: CreatorAnalytics['stats'] | undefined }): React.ReactNode {
  return (
    <section aria-labelledby="analytics-overview">
      <h2 id="analytics-overview" className="display-sm text-32">
        Analytics Overview
      </h2>
      <dl className="mt-4">
        <Figure
          label="Total Generations"
          value={stats?.total_generations}
          note={
            stats
              ? `Delivered to fans: ${count(stats.paid_generations)} paid, ${count(stats.free_generations)} free`
              : 'Delivered to fans'
          }
        />
        <Figure label="Unique Users" value={stats?.unique_users} note="Fans with at least one picture" />
      </dl>
    </section>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly note: string;
}

function Figure({ label, value, note }: FigureProps): React.ReactNode {
  return (
    <div className="border-t border-line pt-3.5 pb-[18px]">
      <dt className="text-14 text-ink-2">{label}</dt>
      <dd className="display mt-2 text-44 tabular-nums">
        {value === undefined ? <Skeleton className="h-[0.94em] w-32 rounded-sm" /> : count(value)}
      </dd>
      <dd className="mt-2 text-13 text-ink-2">{note}</dd>
    </div>
  );
}
