import { ArrowLeft, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useRef } from 'react';
import { useParams } from 'react-router-dom';
import type { AccountBalanceAt, AccountProblem } from '../../../../../src/contract/audit.js';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { cx } from '../../../lib/cx.js';
import { NOT_MOBILE, useMedia } from '../../../lib/use-media.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { AccountSeals } from './account-seals.js';
import { BalanceLine } from './balance-line.js';
import { EventDetail } from './event-detail.js';
import { EventRows, rowHeightOf } from './event-rows.js';
import { InstantField } from './instant-field.js';
import { useAccountLines, useNewestLines } from './use-account-lines.js';
import { useAccountView } from './use-account-view.js';
import { useRowsInView } from './use-rows-in-view.js';

/** /audit/accounts/{userId}: the account as of an instant, its events, and one of them in detail. */
export default function AccountPage(): React.ReactNode {
  const { userId = '' } = useParams();
  const view = useAccountView();
  const { at } = view;
  const balance = useRpc('get_account_balance_at', { p_user_id: userId, ...(at === null ? {} : { p_at: at }) });
  const statement = useNewestLines(userId);
  const field = useRef<HTMLInputElement>(null);
  const wide = useMedia(NOT_MOBILE);
  // On phones an open event takes the place of the list.
  const listed = wide || view.version === null;
  const rows = useRowsInView(statement.data?.total_lines ?? 0, rowHeightOf(wide));
  const lines = useAccountLines(statement.data, rows.from, rows.to);
  useKeys([{ keys: ['T'], label: 'Set instant', run: () => field.current?.focus() }]);
  return (
    <WorkPage
      title={userId}
      name={userId}
      heading={false}
      back={{ to: '/audit', label: 'Accounts' }}
      footer="Read only. Which account was asked for, and by whom, is in the log"
    >
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <p className="text-14 text-ink-2">Account statement</p>
          <h1 translate="no" className="display text-[1.75rem] [overflow-wrap:anywhere] sm:text-44">
            {userId}
          </h1>
        </div>
        <InstantField ref={field} at={at} onChange={view.showAt} />
      </div>
      <Answer query={balance} words={loadWords('the account')} skeleton={<Skeleton className="mt-4 h-20 rounded-sm" />}>
        {(found) => <Figures found={found} then={at !== null} />}
      </Answer>
      {view.version !== null && !wide && (
        <Button kind="quiet" size={32} className="mt-4 -ml-3" onClick={() => view.open(null)}>
          <ArrowLeft aria-hidden className="size-4" />
          Back to the list
        </Button>
      )}
      {statement.data && listed && <BalanceLine newest={statement.data} at={at} />}
      <div
        className={cx(
          'mt-6 grid items-start gap-x-8 gap-y-8',
          view.version !== null && 'lg:grid-cols-[minmax(0,1fr)_minmax(340px,456px)]',
        )}
      >
        <div className="min-w-0" hidden={!listed}>
          <Answer
            query={statement}
            words={loadWords('the statement')}
            skeleton={<Skeleton className="h-96 rounded-sm" />}
          >
            {({ problems }) => (
              <>
                <Problems problems={problems} />
                <EventRows lines={lines} rows={rows} view={view} wide={wide} />
              </>
            )}
          </Answer>
        </div>
        {view.version !== null && (
          <EventDetail userId={userId} version={view.version} lines={lines.loaded} onVersion={view.open} />
        )}
      </div>
      {statement.data && <AccountSeals newest={statement.data} at={at} />}
    </WorkPage>
  );
}

interface FiguresProps {
  readonly found: AccountBalanceAt;
  /** As of an instant of the past, not now. */
  readonly then: boolean;
}

function Figures({ found, then }: FiguresProps): React.ReactNode {
  const { balance, open, owed, version, problems } = found;
  const figures: readonly (readonly [string, number])[] = [
    [then ? 'Balance then' : 'Balance', balance.total],
    ['Daily', balance.daily],
    ['Bonus', balance.bonus],
    ['Purchased', balance.paid],
    ['Open', open],
    ['Owed', owed],
    ['Version', version],
  ];
  return (
    <>
      <p className="sr-only" role="status">
        {`As of ${formatUtcInstant(found.at)}: ${balance.total} credits`}
      </p>
      <dl
        className={cx(
          'mt-4 flex flex-wrap gap-y-4 border-y border-line py-4 tabular-nums',
          '[&>div]:border-line [&>div]:pr-6 [&>div+div]:border-l [&>div+div]:pl-5 max-sm:[&>div]:w-1/3 max-sm:[&>div]:border-0 max-sm:[&>div]:px-0 max-sm:[&>div+div]:border-0 max-sm:[&>div+div]:pl-0',
        )}
      >
        {figures.map(([label, figure]) => (
          <div key={label} className="sm:min-w-24">
            <dt className="text-14 text-ink-2">{label}</dt>
            <dd className="display-sm mt-1 text-[2rem]">
              {label === 'Version' && figure < 0 ? 'none' : figure.toLocaleString('en-US')}
            </dd>
          </div>
        ))}
        <div>
          <dt className="text-14 text-ink-2">Checked</dt>
          <dd
            className={cx(
              'mt-3 flex items-center gap-1.5 text-14 [&_svg]:size-4',
              problems.length === 0 ? 'text-good' : 'text-bad',
            )}
          >
            {problems.length === 0 ? <ShieldCheck aria-hidden /> : <ShieldAlert aria-hidden />}
            <span>
              {problems.length === 0
                ? 'Chain, rules'
                : problems.length === 1
                  ? '1 problem'
                  : `${problems.length} problems`}
            </span>
          </dd>
        </div>
      </dl>
    </>
  );
}

function Problems({ problems }: { readonly problems: readonly AccountProblem[] }): React.ReactNode {
  if (problems.length === 0) return null;
  return (
    <section role="alert" className="mt-4 rounded-panel border border-bad p-4 text-14">
      <h2 className="font-[600] text-bad">This statement proves nothing: the stream has problems</h2>
      <ul className="mt-2 space-y-1">
        {problems.map(({ version, kind, what: sentence }, index) => (
          <li key={index}>
            <span className="font-[560]">{version === null ? kind : `${kind}, version ${version}`}</span>
            <span>: {sentence}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
