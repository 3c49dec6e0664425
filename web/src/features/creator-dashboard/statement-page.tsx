import { useParams, useSearchParams } from 'react-router-dom';
import type { CreatorStatement } from '../../../../src/contract/revenue.js';
import { ButtonLink } from '../../components/button.js';
import { HeadCells } from '../../components/head-cells.js';
import { EmptyState } from '../../components/states.js';
import { ApiError } from '../../lib/api-error.js';
import { cx } from '../../lib/cx.js';
import { formatShortDate } from '../../lib/format.js';
import { ownDataTimings } from '../../lib/own-data-timings.js';
import { useRpc } from '../../lib/use-rpc.js';
import {
  Fact,
  Line,
  StatementFailure,
  StatementHead,
  StatementLoading,
  StatementNotes,
} from './components/statement-sheet.js';
import { formatDay, isMonth } from './dates.js';
import { count, money } from './money.js';
import { Name } from '../../components/name.js';

/** The earnings of a month as a printable page. Admins and finance name the creator in `?creator=`. */
export default function StatementPage(): React.ReactNode {
  const { month = '' } = useParams();
  const [params] = useSearchParams();
  const creatorId = params.get('creator');
  return (
    <div data-print className="wrap pt-1 sm:pt-3">
      <title>Earnings statement · Fanvas</title>
      {!isMonth(month) ? (
        <NoStatement />
      ) : creatorId === null ? (
        <OwnStatement month={month} />
      ) : (
        <Statement creatorId={creatorId} month={month} />
      )}
    </div>
  );
}

function OwnStatement({ month }: { month: string }): React.ReactNode {
  const own = useRpc('get_creator_by_jwt', {}, ownDataTimings);
  if (own.data === undefined) return own.isError ? <StatementFailure query={own} /> : <StatementLoading />;
  const [creator] = own.data;
  if (creator) return <Statement creatorId={creator.id} month={month} own />;
  return (
    <EmptyState
      title="You are not a creator yet"
      className="mt-8"
      action={<ButtonLink to="/creator">Become a creator</ButtonLink>}
    >
      Statements are for creators.
    </EmptyState>
  );
}

interface StatementProps {
  readonly creatorId: string;
  readonly month: string;
  /** The caller is the creator. */
  readonly own?: boolean;
}

function Statement({ creatorId, month, own = false }: StatementProps): React.ReactNode {
  const statement = useRpc('get_creator_statement', { p_creator_id: creatorId, p_month: month }, ownDataTimings);
  if (statement.data) {
    const begun = month <= statement.data.made_at.slice(0, month.length);
    return begun ? <Sheet statement={statement.data} own={own} /> : <NoStatement />;
  }
  if (!statement.isError) return <StatementLoading />;
  const { error } = statement;
  const missing = error instanceof ApiError && (error.status === 400 || error.status === 404);
  return missing ? <NoStatement /> : <StatementFailure query={statement} />;
}

function NoStatement(): React.ReactNode {
  return (
    <EmptyState
      title="There is no statement for this month"
      className="mt-8"
      action={<ButtonLink to="/creator">Back to the dashboard</ButtonLink>}
    >
      Statements are for past months and the present one.
    </EmptyState>
  );
}

function Sheet({ statement, own }: { statement: CreatorStatement; own: boolean }): React.ReactNode {
  const { creator_name: name, month_name: month, complete, made_at: made, creator_id: id } = statement;
  return (
    <article>
      <StatementHead kind="Earnings statement" title={month} own={own} />
      <dl className="mt-6 grid gap-x-8 gap-y-2 text-14 sm:grid-cols-[auto_auto_auto] sm:justify-start">
        <Fact label="Creator">
          <Name>{name}</Name>
        </Fact>
        <Fact label="Creator ID">
          <Name>{id}</Name>
        </Fact>
        <Fact label="Made on">{formatShortDate(made, new Date(0), 'UTC')} UTC</Fact>
      </dl>
      {!complete && (
        <p className="mt-6 rounded-ctl bg-warn-wash px-4 py-3 text-14 text-warn">
          The month is not over: these figures will still change.
        </p>
      )}
      <Sums statement={statement} />
      <Days statement={statement} />
      <Notes />
    </article>
  );
}

function Sums({ statement }: { statement: CreatorStatement }): React.ReactNode {
  return (
    <dl className="mt-8 max-w-xl text-16">
      <Line label="Paid generations">{count(statement.paid_generations)}</Line>
      <Line label="Free generations, which earn nothing">{count(statement.free_generations)}</Line>
      <Line label="Earnings">{money(statement.earnings_cents)}</Line>
      <Line label="Taken back">{money(statement.corrections_cents)}</Line>
      <Line label="Given back">{money(statement.restorations_cents)}</Line>
      <Line label="Total" sum>
        {money(statement.total_cents)}
      </Line>
    </dl>
  );
}

const CELL = 'px-1.5 py-2 text-right tabular-nums first:pl-0 last:pr-0';
/** Part of the total; phones show it below the day. */
const WIDE_CELL = `${CELL} max-sm:hidden`;

function Days({ statement }: { statement: CreatorStatement }): React.ReactNode {
  const { days, paid_generations: paid, earnings_cents: earnings } = statement;
  const { corrections_cents: corrections, restorations_cents: restorations, total_cents: total } = statement;
  if (days.length === 0)
    return <p className="mt-10 text-16 text-ink-2">Nothing was earned or taken back in this month.</p>;
  return (
    <section aria-labelledby="statement-days" className="mt-12">
      <h2 id="statement-days" className="display-sm text-32">
        Day by day
      </h2>
      <table className="mt-3 w-full border-collapse text-14">
        <caption className="sr-only">Earnings by day</caption>
        <thead>
          <tr className="border-b border-line text-13 text-ink-2 [&>th]:font-[400]">
            <HeadCells
              cells={[
                ['Day (UTC)', cx(CELL, 'text-left!')],
                ['Paid generations', CELL],
                ['Earnings', WIDE_CELL],
                ['Taken back', WIDE_CELL],
                ['Given back', WIDE_CELL],
                ['Total', CELL],
              ]}
            />
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day} className="break-inside-avoid border-b border-line">
              <th scope="row" className={cx(CELL, 'whitespace-nowrap text-left! font-[400]')}>
                <span>{formatDay(day.day)}</span>
                <Parts earnings={day.earnings_cents} back={day.corrections_cents} restored={day.restorations_cents} />
              </th>
              <Amount value={day.paid_generations} text={count} />
              <Amount value={day.earnings_cents} wide />
              <Amount value={day.corrections_cents} wide />
              <Amount value={day.restorations_cents} wide />
              <Amount value={day.earnings_cents + day.corrections_cents + day.restorations_cents} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-strong font-[600]">
            <th scope="row" className={cx(CELL, 'text-left!')}>
              Total
            </th>
            <td className={CELL}>{count(paid)}</td>
            <td className={WIDE_CELL}>{money(earnings)}</td>
            <td className={WIDE_CELL}>{money(corrections)}</td>
            <td className={WIDE_CELL}>{money(restorations)}</td>
            <td className={CELL}>{money(total)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

interface AmountProps {
  readonly value: number;
  readonly text?: (value: number) => string;
  /** Not on phones. */
  readonly wide?: boolean;
}

/** A cell with an amount, in cents by default; zero is pale. */
function Amount({ value, text = money, wide = false }: AmountProps): React.ReactNode {
  return <td className={cx(wide ? WIDE_CELL : CELL, value === 0 && 'text-ink-3')}>{text(value)}</td>;
}

/** The parts of a day's total on phones, unless it has one part only. */
function Parts({ earnings, back, restored }: { earnings: number; back: number; restored: number }): React.ReactNode {
  if (back === 0 && restored === 0) return null;
  const parts = [
    `${money(earnings)} earned`,
    back !== 0 && `${money(back)} taken back`,
    restored !== 0 && `${money(restored)} given back`,
  ];
  return (
    <span className="block whitespace-normal text-13 text-ink-2 sm:hidden">
      {parts.filter((part) => part !== false).join(', ')}
    </span>
  );
}

function Notes(): React.ReactNode {
  return (
    <StatementNotes title="Reading the figures">
      <li>Earnings are your half of the paid credits of pictures that were delivered in this month.</li>
      <li>Free credits earn nothing. Your own pictures in your own style earn nothing either.</li>
      <li>
        &quot;Taken back&quot; are halves of purchases that were refunded or charged back in this month, also for
        pictures of earlier months. &quot;Given back&quot; are those that were paid or won after all.
      </li>
      <li>An earning is pending for 30 days after the picture and payable from then on.</li>
      <li>A chargeback after this comes off later earnings.</li>
      <li>Amounts are US dollars; months and days are UTC. This page is not a tax document.</li>
    </StatementNotes>
  );
}
