import { useState } from 'react';
import type { AccountStatement } from '../../../../../src/contract/audit.js';
import { formatUtcInstant, formatUtcNearDay } from '../../../components/work-area/utc.js';
import { cx } from '../../../lib/cx.js';
import { counted } from '../../../lib/format.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { readSealLine } from '../seals/seal-line.js';
import { useNewestSeals } from '../seals/use-newest-seals.js';
import { balanceIn, chartPeriod, gridFigures, hasPeriod, midnightsIn, stepsIn } from './balance-chart.js';
import { LINES_FETCHED } from './use-account-lines.js';

interface BalanceLineProps {
  readonly newest: AccountStatement;
  /** Instant of the figures; null for now. */
  readonly at: string | null;
}

const WIDTH_UNITS = 1000;
const HEIGHT_UNITS = 100;
/** Room for the figures of the grid, and between two labels of seals, in percent of the width. */
const LABEL_ROOM = 4;

/** The balance of some days as steps, with the days and the seals made then; dashed after the instant. */
export function BalanceLine({ newest, at }: BalanceLineProps): React.ReactNode {
  const [now] = useState(() => Date.now());
  const period = chartPeriod(at, newest.lines[0], Math.max(now, Date.parse(newest.to)));
  const { from, to } = period;
  const isLoaded = hasPeriod(newest, period);
  const older = useRpc(
    'get_account_statement',
    {
      p_user_id: newest.user_id,
      p_from: new Date(from).toISOString(),
      p_to: new Date(to).toISOString(),
      p_newest_first: true,
      p_limit: LINES_FETCHED,
    },
    { enabled: !isLoaded },
  );
  const marks = useSealMarks(from, to);
  const source = isLoaded ? newest : older.data;
  if (!source || newest.total_lines === 0) return <div className="mt-5 h-36" />;
  const steps = stepsIn(period, source);
  const begin = steps[0]?.time;
  // The lines of another instant, until those of this one are loaded.
  if (begin === undefined) return <div className="mt-5 h-36" />;
  const figures = gridFigures(Math.max(...steps.map(({ balance }) => balance)));
  const top = figures.at(-1) ?? 1;
  const x = (time: number): number => ((time - from) / (to - from)) * WIDTH_UNITS;
  const y = (balance: number): number => HEIGHT_UNITS - (balance / top) * (HEIGHT_UNITS - 4);
  const until = at === null ? to : Math.min(Math.max(Date.parse(at), from), to);
  const path = (start: number, end: number): string =>
    `M${x(start)} ${y(balanceIn(steps, start) ?? 0)}${steps
      .filter(({ time }) => time > start && time <= end)
      .map(({ time, balance }) => `H${x(time)}V${y(balance)}`)
      .join('')}H${x(end)}`;
  const balance = balanceIn(steps, until);
  const percent = (time: number): string => `${x(time) / (WIDTH_UNITS / 100)}%`;
  const days = `${formatUtcInstant(new Date(begin).toISOString())} to ${formatUtcInstant(new Date(to).toISOString())}`;
  const credits = balance === undefined ? '' : `${balance.toLocaleString('en-US')} credits at`;
  return (
    <figure className="mt-5 pl-10 text-13 tabular-nums text-ink-2 max-sm:hidden">
      <div className="relative h-25">
        {figures.map((figure) => (
          <span
            key={figure}
            className="absolute -left-2 -translate-x-full -translate-y-1/2"
            style={{ top: `${y(figure)}%` }}
          >
            {figure.toLocaleString('en-US')}
          </span>
        ))}
        <svg
          viewBox={`0 0 ${WIDTH_UNITS} ${HEIGHT_UNITS}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Balance from ${days}${credits && `: ${credits} the instant of the figures`}`}
          className="block size-full overflow-visible [&_path]:[vector-effect:non-scaling-stroke]"
        >
          <g fill="none">
            <path d={figures.map((figure) => `M0 ${y(figure)}H${WIDTH_UNITS}`).join('')} className="stroke-line" />
            {until > begin && <path d={path(begin, until)} className="stroke-ink" strokeWidth={2} />}
            {until < to && (
              <path
                d={path(Math.max(begin, until), to)}
                className="stroke-ink-2"
                strokeDasharray="3 3"
                strokeWidth={1.5}
              />
            )}
            {at !== null && <path d={`M${x(until)} 0V${HEIGHT_UNITS}`} className="stroke-seal-mark" strokeWidth={2} />}
          </g>
        </svg>
        {at !== null && balance !== undefined && (
          <>
            <span
              className="absolute size-2.5 -translate-1/2 rounded-full bg-seal-mark"
              style={{ left: percent(until), top: `${y(balance)}%` }}
            />
            <span
              className={cx(
                'absolute bg-bg px-1 font-[600] whitespace-nowrap text-ink',
                until > (from + to) / 2 ? '-translate-x-[calc(100%+10px)]' : 'translate-x-2.5',
                balance > top / 2 ? 'translate-y-2' : '-translate-y-[calc(100%+8px)]',
              )}
              style={{ left: percent(until), top: `${y(balance)}%` }}
            >
              {credits} {formatUtcInstant(new Date(until).toISOString())}
            </span>
          </>
        )}
      </div>
      <div aria-hidden="true" className="relative h-10">
        {midnightsIn(period).map((midnight) => (
          <span key={midnight} className="absolute top-1 whitespace-nowrap" style={{ left: percent(midnight) }}>
            {formatUtcNearDay(new Date(midnight).toISOString(), now)}
          </span>
        ))}
        {marks.map(({ number, time }) => (
          <span
            key={number}
            className="absolute top-5 -translate-x-1/2 border-t border-line pt-0.5"
            style={{ left: percent(time) }}
          >
            {number}
          </span>
        ))}
      </div>
      <figcaption className="-ml-10">
        {marks.length > 0 && 'Below the days: the seals made then. '}
        {at !== null && until < to && 'Dashed: after the instant. '}
        {begin > from &&
          `These days have ${counted(source.total_lines, 'line')}: only the newest ${source.lines.length} are drawn.`}
      </figcaption>
    </figure>
  );
}

/** The seals that were begun in the period, without those whose labels would lie over each other. */
function useSealMarks(from: number, to: number): readonly { readonly number: number; readonly time: number }[] {
  const { data } = useNewestSeals();
  const marks: { readonly number: number; readonly time: number }[] = [];
  for (const { number, line } of data?.seals ?? []) {
    const time = Date.parse(readSealLine(line)?.startedAt ?? '');
    const gap = (((marks.at(-1)?.time ?? Number.POSITIVE_INFINITY) - time) / (to - from)) * 100;
    if (time >= from && time <= to && gap >= LABEL_ROOM) marks.push({ number, time });
  }
  return marks;
}
