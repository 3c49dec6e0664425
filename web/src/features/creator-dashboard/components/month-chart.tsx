import { useId } from 'react';
import {
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  Tooltip,
  XAxis,
  YAxis,
  type BarShapeProps,
  type TooltipContentProps,
  type XAxisTickContentProps,
} from 'recharts';
import type { ChartMonth } from '../chart-months.js';
import { count, dollars } from '../money.js';

interface MonthChartProps {
  /** The oldest first. */
  readonly months: readonly ChartMonth[];
  /** The last complete month: its bars show their figures. */
  readonly marked: string | undefined;
}

/**
 * Paid next to free images a month: solid and hatched, dashed for the month in progress. The arrow keys show the
 * figures of a month. Screen readers get the table below it.
 */
export function MonthChart({ months, marked }: MonthChartProps): React.ReactNode {
  const hatch = useId();
  const labelOf =
    (key: 'paid' | 'free') =>
    (entry: ChartMonth): string =>
      entry.month === marked ? count(entry[key]) : '';
  return (
    <BarChart
      responsive
      data={months}
      aria-label="Chart of paid and free images a month. The arrow keys show the figures of a month."
      className="h-[250px] w-full sm:h-[290px] [&_g]:outline-none [&_svg]:overflow-visible"
      style={{ width: '100%' }}
      margin={{ top: 20, right: 0, bottom: 0, left: 0 }}
      barCategoryGap="18%"
      barGap={2}
    >
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2.4" height="6" fill="var(--chart-free)" />
        </pattern>
      </defs>
      <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
      <YAxis
        width={44}
        tickCount={4}
        allowDecimals={false}
        axisLine={false}
        tickLine={false}
        tick={{ fontSize: 13, fill: 'var(--text-2)' }}
        tickFormatter={(value: number) => count(value)}
      />
      <XAxis
        dataKey="month"
        interval={0}
        height={28}
        tickLine={false}
        axisLine={{ stroke: 'var(--line-strong)' }}
        tick={(tick: XAxisTickContentProps) => <MonthTick {...tick} months={months} marked={marked} />}
      />
      <Tooltip
        isAnimationActive={false}
        position={{ y: 12 }}
        offset={44}
        cursor={{ fill: 'var(--hover)', radius: 8 }}
        content={(tip: TooltipContentProps) => <MonthTip {...tip} months={months} />}
      />
      <Bar dataKey="paid" isAnimationActive={false} maxBarSize={26} shape={paidBar}>
        <LabelList
          position="top"
          valueAccessor={(entry) => labelOf('paid')(entry.payload as ChartMonth)}
          fill="var(--text)"
          fontSize={13}
          fontWeight={600}
        />
      </Bar>
      <Bar
        dataKey="free"
        isAnimationActive={false}
        maxBarSize={26}
        shape={(bar: BarShapeProps) => <FreeBar {...bar} fill={`url(#${hatch})`} />}
      >
        <LabelList
          position="top"
          valueAccessor={(entry) => labelOf('free')(entry.payload as ChartMonth)}
          fill="var(--text)"
          fontSize={13}
          fontWeight={600}
        />
      </Bar>
    </BarChart>
  );
}

const paidBar = (bar: BarShapeProps): React.ReactElement => <PaidBar {...bar} />;

function PaidBar(bar: BarShapeProps): React.ReactElement {
  return inProgress(bar) ? (
    <path d={outline(bar)} fill="none" stroke="var(--chart-paid)" strokeWidth={1.5} strokeDasharray="4 3" />
  ) : (
    <path d={outline(bar)} fill="var(--chart-paid)" />
  );
}

function FreeBar({ fill, ...bar }: BarShapeProps & { fill: string }): React.ReactElement {
  return inProgress(bar) ? (
    <path d={outline(bar)} fill="none" stroke="var(--chart-free)" strokeWidth={1.5} strokeDasharray="4 3" />
  ) : (
    <path d={outline(bar)} fill={fill} stroke="var(--chart-free)" strokeWidth={1.4} />
  );
}

function inProgress({ payload }: Pick<BarShapeProps, 'payload'>): boolean {
  return (payload as ChartMonth).inProgress;
}

/** Two sides and a rounded top; the axis is the foot. */
function outline({ x, y, width, height }: Pick<BarShapeProps, 'x' | 'y' | 'width' | 'height'>): string {
  if (height <= 0) return '';
  const radius = Math.min(3, height, width / 2);
  const side = height - radius;
  return `M${x},${y + height}v${-side}q0,${-radius} ${radius},${-radius}h${width - 2 * radius}q${radius},0 ${radius},${radius}v${side}`;
}

type TickProps = XAxisTickContentProps & MonthChartProps;

function MonthTick({ x, y, index, months, marked }: TickProps): React.ReactElement {
  const month = months[index];
  const on = month?.month === marked;
  return (
    <text
      x={x}
      y={Number(y) + 14}
      textAnchor="middle"
      fontSize={13}
      fontWeight={on ? 600 : 400}
      fill={on ? 'var(--text)' : 'var(--text-2)'}
    >
      {month?.label}
    </text>
  );
}

function MonthTip({ active, label, months }: TooltipContentProps & Pick<MonthChartProps, 'months'>): React.ReactNode {
  const month = months.find((each) => each.month === label);
  if (!active || !month) return null;
  const { name, paid, free, earnings, changes, inProgress: open } = month;
  return (
    <div className="w-[188px] rounded-[10px] border border-line-strong bg-raised px-3.5 py-2.5 text-13">
      <p className="font-[600]">{open ? `${name} so far` : name}</p>
      <dl className="mt-0.5 tabular-nums">
        <Figure label="Paid images">{count(paid)}</Figure>
        <Figure label="Your half">{dollars(earnings)}</Figure>
        {changes.map(({ label, amount }) => (
          <Figure key={label} label={label}>
            {dollars(amount)}
          </Figure>
        ))}
        <Figure label="Free images">{count(free)}</Figure>
        <Figure label="Earned by free">{dollars(0)}</Figure>
      </dl>
    </div>
  );
}

function Figure({ label, children }: { label: string; children: string }): React.ReactNode {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-ink-2">{label}</dt>
      <dd className="font-[560]">{children}</dd>
    </div>
  );
}
