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
import { Hatch } from './hatch.js';

/** A month of the chart: two bars, and the figures that the pointer, the focus or the arrow keys show. */
export interface ChartMonth {
  /** YYYY-MM. */
  readonly month: string;
  /** Below the bars: `Oct`, or `Nov*` for the month in progress. */
  readonly label: string;
  /** Over the figures: `October 2026`. */
  readonly name: string;
  /** Height of the solid bar. */
  readonly solid: number;
  /** Height of the hatched bar next to it. */
  readonly hatched: number;
  readonly inProgress: boolean;
  readonly figures: readonly { readonly label: string; readonly text: string }[];
}

interface MonthChartProps {
  /** The oldest first. */
  readonly months: readonly ChartMonth[];
  /** The month whose name is bold: the last complete one. */
  readonly marked: string | undefined;
  /** Name of the chart for screen readers. */
  readonly label: string;
  /** `$1,000`: the text of a mark of the axis. */
  readonly axisText: (value: number) => string;
  /** Over the bars of the marked month; without it they have no text. */
  readonly barText?: (value: number) => string;
  /** Width of the texts of the axis, px. */
  readonly axisWidth?: number;
}

/**
 * Two bars a month: solid and hatched, dashed for the month in progress. Pointer, focus and arrow keys show the figures
 * of a month. Screen readers need a table with the same figures next to it.
 */
export function MonthChart(props: MonthChartProps): React.ReactNode {
  const { months, marked, label, axisText, barText, axisWidth = 44 } = props;
  const hatch = useId();
  const barTexts = (key: 'solid' | 'hatched'): React.ReactNode => (
    <LabelList
      position="top"
      valueAccessor={({ payload }) => {
        const month = payload as ChartMonth;
        return barText !== undefined && month.month === marked ? barText(month[key]) : '';
      }}
      fill="var(--text)"
      fontSize={13}
      fontWeight={600}
    />
  );
  return (
    <BarChart
      responsive
      data={months}
      aria-label={label}
      className="h-[250px] w-full sm:h-[290px] [&_g]:outline-none [&_svg]:overflow-visible"
      style={{ width: '100%' }}
      margin={{ top: 20, right: 0, bottom: 0, left: 0 }}
      barCategoryGap="18%"
      barGap={2}
    >
      <Hatch id={hatch} />
      <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
      <YAxis
        width={axisWidth}
        tickCount={4}
        allowDecimals={false}
        axisLine={false}
        tickLine={false}
        tick={{ fontSize: 13, fill: 'var(--text-2)' }}
        tickFormatter={axisText}
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
      <Bar dataKey="solid" isAnimationActive={false} maxBarSize={26} shape={solidBar}>
        {barTexts('solid')}
      </Bar>
      <Bar
        dataKey="hatched"
        isAnimationActive={false}
        maxBarSize={26}
        shape={(bar: BarShapeProps) => <HatchedBar {...bar} fill={`url(#${hatch})`} />}
      >
        {barTexts('hatched')}
      </Bar>
    </BarChart>
  );
}

const solidBar = (bar: BarShapeProps): React.ReactElement => <SolidBar {...bar} />;

function SolidBar(bar: BarShapeProps): React.ReactElement {
  return inProgress(bar) ? (
    <path d={outline(bar)} fill="none" stroke="var(--chart-paid)" strokeWidth={1.5} strokeDasharray="4 3" />
  ) : (
    <path d={outline(bar)} fill="var(--chart-paid)" />
  );
}

function HatchedBar({ fill, ...bar }: BarShapeProps & { fill: string }): React.ReactElement {
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

type TickProps = XAxisTickContentProps & Pick<MonthChartProps, 'months' | 'marked'>;

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
  const { name, figures, inProgress: open } = month;
  return (
    <div className="w-[188px] rounded-[10px] border border-line-strong bg-raised px-3.5 py-2.5 text-13">
      <p className="font-[600]">{open ? `${name} so far` : name}</p>
      <dl className="mt-0.5 tabular-nums">
        {figures.map(({ label, text }) => (
          <div key={label} className="flex justify-between gap-3">
            <dt className="text-ink-2">{label}</dt>
            <dd className="font-[560]">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
