import { Link } from 'react-router-dom';
import type { DeferredAge } from '../../../../../src/contract/finance.js';
import { Skeleton } from '../../../components/skeleton.js';
import { Answer } from '../../../components/work-area/answer.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { deferredPath } from '../finance-paths.js';
import { count, dollars, monthText } from '../finance-text.js';

const AGES: readonly { readonly label: string; readonly most: number }[] = [
  { label: 'Bought in the month', most: 0 },
  { label: '1 or 2 months before', most: 2 },
  { label: '3 to 5 months before', most: 5 },
  { label: '6 months before or earlier', most: Number.POSITIVE_INFINITY },
];

/** The deferred revenue at the end of a month, by how long ago it was bought. */
export function DeferredAges({ month }: { readonly month: string }): React.ReactNode {
  const query = useRpc('get_deferred_revenue', { p_month: month });
  return (
    <section aria-labelledby="ages-title">
      <h2 id="ages-title" className="display-sm text-24">
        Deferred by age
      </h2>
      <Answer
        query={query}
        words={{ failure: 'Failed to load deferred revenue. Please try again.' }}
        skeleton={<Skeleton className="mt-3 h-64 rounded-sm" />}
      >
        {({ ages, cents, credits }) => (
          <>
            <ul className="mt-3 text-14">
              {AGES.map(({ label, most }, index) => {
                const least = (AGES[index - 1]?.most ?? -1) + 1;
                return <Age key={label} label={label} cents={sumOf(ages, least, most)} all={cents} />;
              })}
            </ul>
            <p className="mt-3 flex justify-between border-t border-line-strong pt-2.5 text-14 font-[600] tabular-nums">
              <span>All</span>
              <span>{dollars(cents)}</span>
            </p>
            <p className="mt-3 text-14 tabular-nums text-ink-2">{count(credits)} unspent paid credits</p>
            <p className="mt-1 text-14">
              <Link to={deferredPath(month)} className="link">
                {monthText.long(month)} by month of purchase
              </Link>
            </p>
            <p className="mt-3 text-13 text-ink-2">Purchased credits never expire, so no breakage is taken.</p>
          </>
        )}
      </Answer>
    </section>
  );
}

function sumOf(ages: readonly DeferredAge[], least: number, most: number): number {
  return ages
    .filter(({ age_months: age }) => age >= least && age <= most)
    .reduce((total, { cents }) => total + cents, 0);
}

interface AgeProps {
  readonly label: string;
  readonly cents: number;
  readonly all: number;
}

function Age({ label, cents, all }: AgeProps): React.ReactNode {
  return (
    <li className="py-[7px]">
      <span className="flex justify-between gap-3 tabular-nums">
        <span>{label}</span>
        <span className={cents === 0 ? 'text-ink-3' : 'font-[560]'}>{dollars(cents)}</span>
      </span>
      <svg viewBox="0 0 300 8" preserveAspectRatio="none" aria-hidden className="mt-1.5 block h-2 w-full">
        <rect width="300" height="8" rx="3" fill="var(--hover)" />
        {cents > 0 && <rect width={(cents / all) * 300} height="8" rx="3" fill="var(--text-2)" />}
      </svg>
    </li>
  );
}
