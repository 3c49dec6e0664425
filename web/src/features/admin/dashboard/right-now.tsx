import { Link } from 'react-router-dom';
import type { AdminAct } from '../../../../../src/contract/acts.js';
import type { AdminOverview, AdminQueue, QueueKind } from '../../../../../src/contract/admin.js';
import { actText, namesIn } from '../components/act-text.js';
import { formatCount } from '../../../components/work-area/page-count.js';
import { formatUtcDay, formatUtcInstant, formatUtcShort, formatUtcTime } from '../../../components/work-area/utc.js';
import { Named } from '../../../components/name.js';

/** The figures that describe the place at this moment. */
export function RightNow({
  overview,
  now,
}: {
  readonly overview: AdminOverview;
  readonly now: number;
}): React.ReactNode {
  const { queues, now: figures } = overview;
  const { users, users_this_week, drawing, credits_held, refunded_today, delivered_today, last_seal } = figures;
  const reports = waiting(queues, 'urgent_reports') + waiting(queues, 'reports');
  return (
    <section aria-labelledby="right-now">
      <h2 id="right-now" className="display-sm text-32">
        Right now
      </h2>
      <dl className="mt-3 text-14">
        <Line term="Applications" figure={waiting(queues, 'applications')}>
          {' pending, '}
          <b className="font-[640] text-ink">{formatCount(waiting(queues, 'without_model'))}</b> without model
        </Line>
        <Line term="Reports" figure={reports}>
          {' open'}
        </Line>
        <Line term="Users" figure={users}>
          {`, ${formatCount(users_this_week)} new this week`}
        </Line>
        <Line term="Drawing" figure={drawing}>
          {drawing === 1 ? ' picture' : ' pictures'}
        </Line>
        <Line term="Credits" figure={credits_held}>
          {' unspent in all accounts'}
        </Line>
        <Line term="Refunded today" figure={refunded_today}>
          {` of ${formatCount(delivered_today + refunded_today)} pictures`}
        </Line>
        <Line term="Last seal" figure={last_seal?.number ?? null}>
          {last_seal ? `, ${dayText(last_seal.at, now)} ${formatUtcTime(last_seal.at)} UTC` : 'none yet'}
        </Line>
      </dl>
    </section>
  );
}

interface LineProps {
  readonly term: string;
  readonly figure: number | null;
  readonly children: React.ReactNode;
}

function Line({ term, figure, children }: LineProps): React.ReactNode {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 border-b border-line py-[9px] last:border-0">
      <dt className="text-ink-2">{term}</dt>
      <dd className="text-right text-ink-2 tabular-nums">
        {figure !== null && <b className="font-[640] text-ink">{formatCount(figure)}</b>}
        <span>{children}</span>
      </dd>
    </div>
  );
}

const waiting = (queues: readonly AdminQueue[], kind: QueueKind): number =>
  queues.find((queue) => queue.kind === kind)?.count ?? 0;

function dayText(iso: string, now: number): string {
  return formatUtcDay(iso) === formatUtcDay(new Date(now).toISOString()) ? 'today' : formatUtcDay(iso);
}

/** The last acts of the log. */
export function LastActs({ acts, now }: { readonly acts: readonly AdminAct[]; readonly now: number }): React.ReactNode {
  return (
    <section aria-labelledby="last-acts" className="mt-8">
      <h2 id="last-acts" className="display-sm text-32">
        Log
      </h2>
      {acts.length === 0 ? (
        <p className="mt-3 text-14 text-ink-2">No acts yet.</p>
      ) : (
        <ul className="mt-3 text-14">
          {acts.map((act) => (
            <li key={act.id} className="flex gap-3.5 py-1.5">
              <time
                dateTime={act.at}
                title={formatUtcInstant(act.at)}
                className="w-14 shrink-0 text-ink-2 tabular-nums"
              >
                {formatUtcShort(act.at, now)}
              </time>
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <Named text={actText(act)} name={namesIn(act)} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Link to="/admin/log" className="link mt-3 inline-block text-14">
        Whole log
      </Link>
    </section>
  );
}
