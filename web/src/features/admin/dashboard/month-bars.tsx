import { useId } from 'react';
import type { AdminOverview } from '../../../../../src/contract/admin.js';
import { axisMarks } from './axis.js';
import { Hatch } from '../../../components/hatch.js';
import { monthText } from '../../../lib/months.js';

type Month = AdminOverview['revenue']['months'][number];

interface MonthBarsProps {
  /** The oldest first; the last one is in progress. */
  readonly months: readonly Month[];
  /** Width of the drawing, in its own units. */
  readonly width: number;
  readonly className: string;
}

const LEFT_PX = 44;
const TOP_PX = 18;
const FOOT_PX = 96;
const HEIGHT_PX = 122;

/** Paid next to free images by month: solid and hatched, dashed for the month in progress. */
export function MonthBars({ months, width, className }: MonthBarsProps): React.ReactNode {
  const hatch = useId();
  const marks = axisMarks(Math.max(0, ...months.flatMap(({ paid, free }) => [paid, free])));
  const heightOf = (count: number): number => (count / marks[2]) * (FOOT_PX - TOP_PX);
  const column = (width - LEFT_PX) / Math.max(months.length, 1);
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT_PX}`} role="img" aria-label={inWords(months)} className={className}>
      <Hatch id={hatch} />
      {marks.map((mark) => {
        const y = FOOT_PX - heightOf(mark);
        return (
          <g key={mark}>
            <line
              x1={LEFT_PX}
              x2={width}
              y1={y}
              y2={y}
              stroke={mark === 0 ? 'var(--line-strong)' : 'var(--chart-grid)'}
            />
            <text x={LEFT_PX - 10} y={y + 4.5} textAnchor="end" fontSize={13} fill="var(--text-2)">
              {mark.toLocaleString('en')}
            </text>
          </g>
        );
      })}
      {months.map(({ month, paid, free }, index) => {
        const middle = LEFT_PX + column * (index + 0.5);
        const open = index === months.length - 1;
        const dashed = { fill: 'none', strokeWidth: 1.5, strokeDasharray: '4 3' };
        return (
          <g key={month}>
            <path
              d={bar(middle - 16, heightOf(paid))}
              {...(open ? { ...dashed, stroke: 'var(--chart-paid)' } : { fill: 'var(--chart-paid)' })}
            />
            <path
              d={bar(middle + 1, heightOf(free))}
              stroke="var(--chart-free)"
              {...(open ? dashed : { fill: `url(#${hatch})`, strokeWidth: 1.4 })}
            />
            <text x={middle} y={116} textAnchor="middle" fontSize={13} fill="var(--text-2)">
              {open ? `${monthText.short(month)}*` : monthText.short(month)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** A bar with a rounded top, 15 wide; the axis is its foot. */
function bar(x: number, height: number): string {
  if (height <= 0) return '';
  const radius = Math.min(3, height);
  return `M${x},${FOOT_PX}v${radius - height}q0,${-radius} ${radius},${-radius}h${15 - 2 * radius}q${radius},0 ${radius},${radius}v${height - radius}`;
}

function inWords(months: readonly Month[]): string {
  const parts = months.map(({ month, paid, free }) => `${monthText.short(month)} ${paid} paid and ${free} free`);
  return `Images by month: ${parts.join(', ')} so far`;
}
