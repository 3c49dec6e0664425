import { Check, CircleAlert } from 'lucide-react';
import { type RevenueCreatorRow } from '../../../../../src/contract/applications.js';
import { Avatar } from '../../../components/avatar.js';
import { Button, ButtonLink } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { formatMoney } from '../../../lib/format.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { modelOf, shortModel } from './model-id.js';
import { Sparkline } from './sparkline.js';
import { Name } from '../../../components/name.js';

/** An active creator with figures that load on their own (creator spec, section 2). */
export function RevenueCard({ creator }: { readonly creator: RevenueCreatorRow }): React.ReactNode {
  const analytics = useRpc('get_creator_dashboard_analytics', { p_creator_id: creator.id });
  const figures = analytics.data;
  const count = (value: number | undefined): string => (value === undefined ? '--' : value.toLocaleString('en'));
  const path = `/admin/revenue-management/${creator.id}`;
  return (
    <article
      aria-labelledby={`revenue-${creator.id}`}
      className="flex min-w-0 flex-col rounded-panel border border-line bg-surface p-5"
    >
      <div className="flex items-start gap-3">
        {/* The spec shows the initial of the name, not the portrait. */}
        <Avatar name={creator.name.slice(0, 1)} shape="tile" />
        <div className="min-w-0 flex-1">
          <h3 translate="no" id={`revenue-${creator.id}`} className="display-sm truncate text-24">
            {creator.name}
          </h3>
          <p translate="no" className="truncate text-13 text-ink-2">
            @{creator.username}
          </p>
        </div>
        <Sparkline months={creator.months} />
      </div>
      <div aria-busy={!figures && !analytics.isError}>
        <p role="status" className="sr-only">
          {figures || analytics.isError ? '' : 'Loading analytics...'}
        </p>
        {figures && (
          <dl className="mt-4 grid grid-cols-2 divide-x divide-line border-b border-line pb-3.5">
            <Money label="All-Time Revenue" dollars={figures.revenue.all_time_earnings} />
            <Money label="This Month" dollars={figures.revenue.this_month_earnings} className="pl-4" />
          </dl>
        )}
        {!figures && (
          <div className="mt-4 flex min-h-[81px] items-center gap-3 border-b border-line pb-3.5 text-14 text-ink-2">
            {analytics.isError ? (
              <>
                <p role="alert" className="flex flex-1 items-center gap-2 text-warn">
                  <CircleAlert aria-hidden className="size-4 shrink-0" />
                  Analytics unavailable --
                </p>
                <Button size={32} busy={analytics.isFetching} busyLabel="..." onClick={() => void analytics.refetch()}>
                  Retry
                </Button>
              </>
            ) : (
              <>
                <Skeleton className="h-4 w-18 rounded-[6px]" />
                <span aria-hidden>Loading analytics...</span>
              </>
            )}
          </div>
        )}
      </div>
      <dl className="mt-2 mb-4 grid gap-y-3 text-14">
        <Line label="Instagram">
          <Name>{creator.instagram}</Name>
        </Line>
        <Line label="Paid Generations">{count(figures?.stats.paid_generations)}</Line>
        <Line label="Total Generations">{count(figures?.stats.total_generations)}</Line>
        <Line label="Corrections">{corrections(creator) ?? <span className="text-ink-2">None</span>}</Line>
        <Line label="Model ID">
          <span translate="no" title={modelOf(creator) ?? undefined}>
            {shortModel(creator)}
          </span>
        </Line>
        <Line label="Status">
          <span className="inline-flex items-center gap-1.5 text-good">
            <Check aria-hidden className="size-3.5" />
            <span>{creator.creator_status}</span>
          </span>
        </Line>
        <Line label="Created">{formatUtcDay(creator.created_at)}</Line>
      </dl>
      <ButtonLink
        size={32}
        to={path}
        data-row
        className="mt-auto w-full"
        aria-label={`View Dashboard of ${creator.name}`}
      >
        View Dashboard
      </ButtonLink>
    </article>
  );
}

function Money({ label, dollars, className }: { label: string; dollars: number; className?: string }): React.ReactNode {
  return (
    <div className={className}>
      <dt className="text-13 text-ink-2">{label}</dt>
      <dd className="display-sm mt-1.5 text-32 tabular-nums">{formatMoney(Math.round(dollars * 100))}</dd>
    </div>
  );
}

function Line({ label, children }: { label: string; children: React.ReactNode }): React.ReactNode {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-ink-2">{label}</dt>
      <dd className="min-w-0 truncate tabular-nums">{children}</dd>
    </div>
  );
}

/** `−$4.00, +$4.00`: taken back, and restored; null without any. */
function corrections({ taken_back_cents: back, restored_cents: restored }: RevenueCreatorRow): string | null {
  const parts = [back > 0 ? `−${formatMoney(back)}` : '', restored > 0 ? `+${formatMoney(restored)}` : ''];
  return parts.filter(Boolean).join(', ') || null;
}
