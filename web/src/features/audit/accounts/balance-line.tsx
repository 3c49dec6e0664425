import { useState } from 'react';
import type { StatementEntry } from '../../../../../src/contract/audit.js';
import { formatUtcInstant, formatUtcSecond } from '../../../components/work-area/utc.js';

interface BalanceLineProps {
  /** The lines of the page, the newest first. */
  readonly lines: readonly StatementEntry[];
  /** Instant of the figures; null for now. */
  readonly at: string | null;
}

const WIDTH = 1000;
const HEIGHT = 96;

/** The balance over the lines of the page, as steps. Dashed after the instant of the figures. */
export function BalanceLine({ lines, at }: BalanceLineProps): React.ReactNode {
  const [now] = useState(() => Date.now());
  const points = [...lines].reverse().map((line) => ({ time: Date.parse(line.at), balance: line.balance }));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first.time === last.time) return null;
  const most = Math.max(...points.map(({ balance }) => balance), 1);
  const x = (time: number): number => ((time - first.time) / (last.time - first.time)) * WIDTH;
  const y = (balance: number): number => HEIGHT - 4 - (balance / most) * (HEIGHT - 12);
  const until = at === null ? last.time : Math.min(Math.max(Date.parse(at), first.time), last.time);
  const steps = (from: number, to: number): string => {
    const before = points.filter(({ time }) => time <= from).at(-1) ?? first;
    const within = points.filter(({ time }) => time > from && time <= to);
    return `M${x(from)} ${y(before.balance)}${within
      .map(({ time, balance }) => `H${x(time)}V${y(balance)}`)
      .join('')}H${x(to)}`;
  };
  const atEnd = points.filter(({ time }) => time <= until).at(-1) ?? first;
  return (
    <figure className="mt-5">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Balance from ${formatUtcInstant(new Date(first.time).toISOString())} to ${formatUtcInstant(new Date(last.time).toISOString())}: at most ${most.toLocaleString('en-US')} credits, ${atEnd.balance.toLocaleString('en-US')} at the instant of the figures`}
        className="block h-24 w-full"
      >
        <g fill="none" vectorEffect="non-scaling-stroke">
          <path
            d={`M0 ${y(0)}H${WIDTH}M0 ${y(most)}H${WIDTH}`}
            className="stroke-line"
            vectorEffect="non-scaling-stroke"
          />
          <path
            d={steps(first.time, until)}
            className="stroke-ink"
            strokeWidth={1.5}
            vectorEffect="non-scaling-stroke"
          />
          {until < last.time && (
            <path
              d={steps(until, last.time)}
              className="stroke-ink-2"
              strokeDasharray="3 3"
              strokeWidth={1.5}
              vectorEffect="non-scaling-stroke"
            />
          )}
          {at !== null && (
            <path
              d={`M${x(until)} 0V${HEIGHT}`}
              className="stroke-seal-mark"
              strokeWidth={2}
              vectorEffect="non-scaling-stroke"
            />
          )}
        </g>
      </svg>
      <figcaption className="mt-1 flex justify-between gap-4 text-13 tabular-nums text-ink-2">
        <span>{formatUtcSecond(new Date(first.time).toISOString(), now)}</span>
        <span>
          The lines of this page, 0 to {most.toLocaleString('en-US')} credits.
          {at !== null && ' Dashed: after the instant.'}
        </span>
        <span>{formatUtcSecond(new Date(last.time).toISOString(), now)}</span>
      </figcaption>
    </figure>
  );
}
