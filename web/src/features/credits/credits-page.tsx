import { CircleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { ButtonLink } from '../../components/button.js';
import { Skeleton } from '../../components/skeleton.js';
import { QueryProblem } from '../../components/states.js';
import { StatementDownload } from '../../components/statement-download.js';
import { useCredits } from './api/get-user-credit-breakdown.js';
import { DailyGrantFailure } from './components/daily-grant-failure.js';
import { NextDailyCredits } from './components/next-daily-credits.js';
import { OwedCredits } from './components/owed-credits.js';
import { SignUpBonus } from './components/sign-up-bonus.js';
import { TransactionHistory } from './components/transaction-history.js';
import { problemOf } from '../../lib/problem-of.js';

/** Below this balance the page suggests a purchase. */
const LOW_CREDITS = 20;
const BALANCE = 'text-[clamp(7rem,16vw,12rem)]';

interface CreditsPageProps extends React.ComponentProps<typeof TransactionHistory> {
  readonly purchases: React.ReactNode;
}

/** Balance, history and purchases of the signed-in fan. */
export function CreditsPage({ creators, purchases }: CreditsPageProps): React.ReactNode {
  return (
    <div className="wrap pt-1 sm:pt-3">
      <title>Credits · Fanvas</title>
      <h1 className="display text-[3.25rem] sm:text-[4.5rem]">Credits</h1>
      <Balance />
      <hr className="mt-7 border-line sm:mt-10" />
      <TransactionHistory creators={creators} />
      {purchases}
      <StatementDownload subject="Every change of your credits" address="/ledger/statement" />
    </div>
  );
}

function Balance(): React.ReactNode {
  const query = useCredits();
  const { data, error, isError } = query;

  if (isError && !data) {
    return (
      <QueryProblem className="mt-8" title="Error loading credits" retryLabel="Refresh" query={query}>
        {problemOf(error)} Your credits are safe.
      </QueryProblem>
    );
  }
  return (
    <section
      aria-label="Balance"
      aria-busy={!data}
      className="mt-6 sm:mt-10 sm:flex sm:items-end sm:justify-between sm:gap-8"
    >
      <div>
        <p className="text-16 text-ink-2">Available Credits</p>
        {data ? (
          <p className={`display -ml-1 mt-2 tabular-nums ${BALANCE}`}>{data.total_balance.toLocaleString('en')}</p>
        ) : (
          <Skeleton className="mt-3 h-[clamp(6.5rem,15vw,11.25rem)] w-64 max-w-full" />
        )}
      </div>
      <div className="sm:w-[52.5%] sm:pb-3">
        <div className="mt-4 flex min-h-10 flex-wrap gap-2 sm:mt-0">
          {data && data.total_balance < LOW_CREDITS && (
            <p className="inline-flex min-h-10 items-center gap-2.5 rounded-ctl bg-warn-wash px-3.5 text-14 font-[560] text-warn">
              <CircleAlert aria-hidden className="size-[17px]" />
              <span>
                Low on credits?{' '}
                <Link to="/purchase-credits" className="underline underline-offset-4 hover:no-underline">
                  Purchase more
                </Link>
              </span>
            </p>
          )}
          {data && data.total_balance >= LOW_CREDITS && (
            <ButtonLink to="/purchase-credits">Purchase Credits</ButtonLink>
          )}
        </div>
        {data && <OwedCredits debt={data.debt} className="mt-4" />}
        <SignUpBonus state={data?.sign_up_bonus} className="mt-4" />
        <DailyGrantFailure className="mt-4" />
        <dl className="mt-6 grid grid-cols-2 gap-y-5 sm:grid-cols-4">
          <Figure term="Daily" value={data?.daily_credits} />
          <Figure term="Bonus" value={data?.bonus_credits} />
          <Figure term="Purchased" value={data?.paid_credits} />
          <Figure term="Lifetime Spent" value={data?.lifetime_spent} />
        </dl>
        {/* One line high from the start, so that the answer moves nothing. */}
        <div className="mt-5 min-h-5 text-14 text-ink-2">
          <NextDailyCredits />
        </div>
      </div>
    </section>
  );
}

function Figure({ term, value }: { term: string; value: number | undefined }): React.ReactNode {
  return (
    <div className="border-l border-line pl-4 sm:pl-5">
      <dt className="text-14 text-ink-2">{term}</dt>
      <dd className="display-sm mt-1.5 text-44 tabular-nums">
        {value === undefined ? <Skeleton className="h-11 w-16 rounded-sm" /> : value.toLocaleString('en')}
      </dd>
    </div>
  );
}
