import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { AdminOverview } from '../../../../../src/contract/admin.js';
import { ChartLegend } from '../../../components/chart-legend.js';
import { Picture } from '../../../components/picture.js';
import { Skeleton } from '../../../components/skeleton.js';
import { formatMoney } from '../../../lib/format.js';
import { moneyText } from '../../../lib/money-parts.js';
import { formatCount } from '../../../components/work-area/page-count.js';
import { MonthBars } from './month-bars.js';

interface CardsProps {
  /** Undefined until it is loaded: the cards lead to their pages before. */
  readonly overview: AdminOverview | undefined;
}

/** Months on a phone: fewer, not smaller. */
const PHONE_MONTHS = 6;

/** The two cards of the specification, with live figures. */
export function Cards({ overview }: CardsProps): React.ReactNode {
  const creators = overview?.creators;
  const revenue = overview?.revenue;
  return (
    <div className="mt-6 grid gap-4 md:grid-cols-2">
      <Card
        to="/admin/gallery"
        title="Gallery Management"
        description="Manage galleries, featured creators, archive creators"
        figures={[
          ['Active', creators && formatCount(creators.active)],
          ['Featured', creators && formatCount(creators.featured)],
          ['Archived', creators && formatCount(creators.archived)],
        ]}
      >
        <div className="flex h-24 gap-0.5 bg-hover sm:h-[158px]">
          {overview?.portraits.map((image) => (
            <Picture key={image.url} image={image} alt="" sizes="80px" ratio="auto" className="h-full min-w-0 flex-1" />
          ))}
        </div>
      </Card>
      <Card
        to="/admin/revenue-management"
        title="Revenue Management"
        description="View creator dashboards, track revenue, manage payouts"
        figures={[
          ['Creators’ half', revenue && formatMoney(revenue.earned_cents)],
          ['Payable now', revenue && formatMoney(revenue.payable_cents)],
          ['Pending', revenue && formatMoney(revenue.pending_cents)],
        ]}
        note={revenue && `The rest: ${moneyText(revenue, ['payable', 'pending'])}`}
      >
        <div className="px-6 pt-3.5 sm:h-[158px] sm:overflow-hidden">
          <div className="flex justify-between gap-4 text-13 text-ink-2">
            <span>Images by month</span>
            <ChartLegend solid="Paid" hatched="Free" />
          </div>
          {revenue ? (
            <>
              <MonthBars months={revenue.months} width={552} className="mt-1 hidden max-h-[122px] w-full sm:block" />
              <MonthBars months={revenue.months.slice(-PHONE_MONTHS)} width={318} className="mt-2 w-full sm:hidden" />
            </>
          ) : (
            <div className="h-[122px]" />
          )}
        </div>
      </Card>
    </div>
  );
}

interface CardProps {
  readonly to: string;
  readonly title: string;
  readonly description: string;
  readonly figures: readonly (readonly [label: string, figure: string | undefined])[];
  /** Below the figures. */
  readonly note?: string | undefined;
  /** Above the title. */
  readonly children: React.ReactNode;
}

function Card({ to, title, description, figures, note, children }: CardProps): React.ReactNode {
  return (
    <article className="relative overflow-hidden rounded-panel border border-line bg-surface has-[a:hover]:border-line-strong">
      {children}
      <div className="flex items-start justify-between gap-4 px-6 pt-5">
        <div>
          <h2 className="display-sm text-32">
            <Link to={to} className="after:absolute after:inset-0 after:rounded-panel">
              {title}
            </Link>
          </h2>
          <p className="mt-2 text-ink-2">{description}</p>
        </div>
        <ArrowRight aria-hidden className="size-5 shrink-0" />
      </div>
      <dl className="grid grid-cols-3 px-6 pt-4 pb-5">
        {figures.map(([label, figure]) => (
          <div key={label} className="border-l border-line pl-3 first:border-0 first:pl-0 sm:pl-5">
            <dt className="text-14 text-ink-2">{label}</dt>
            <dd className="display-sm mt-1.5 text-[1.375rem] tabular-nums sm:text-[1.75rem]">
              {figure ?? <Skeleton className="h-7 w-16 rounded-sm" />}
            </dd>
          </div>
        ))}
      </dl>
      {note !== undefined && <p className="-mt-2 px-6 pb-5 text-13 text-ink-2">{note}</p>}
    </article>
  );
}
