import type { ProcessorWalk } from '../../../../../src/contract/reconciliation.js';
import { TableToggle } from '../../../components/table-toggle.js';
import { cx } from '../../../lib/cx.js';
import { NOT_MOBILE, useMedia } from '../../../lib/use-media.js';
import { amount, dollars } from '../finance-text.js';

interface BalanceWalkProps {
  readonly walk: ProcessorWalk;
  /** Such as `on 1 Nov`. */
  readonly start: string;
  /** Such as `now`. */
  readonly end: string;
}

interface Step {
  readonly name: string;
  readonly cents: number;
  /** The bar of a balance begins at zero; a movement begins where the step before it ended. */
  readonly balance: boolean;
}

function stepsOf({ walk, start, end }: BalanceWalkProps): readonly Step[] {
  const moves: readonly (readonly [string, number, always: boolean])[] = [
    ['Payments', walk.payments_cents, true],
    ['Refunds', walk.refunds_cents, false],
    ['Disputes', walk.disputes_cents, false],
    ['Fees', walk.fees_cents, true],
    ['Sent to the bank', walk.bank_cents, true],
    ['Other', walk.other_cents, false],
    ['Other shops', walk.other_shops_cents, false],
  ];
  return [
    { name: `Balance ${start}`, cents: walk.opening_cents, balance: true },
    ...moves
      .filter(([, cents, always]) => always || cents !== 0)
      .map(([name, cents]) => ({ name, cents, balance: false })),
    { name: `Balance ${end}`, cents: walk.closing_cents, balance: true },
  ];
}

/** The balance at the processor from the start of a period to its end: a chart with its table, a list on phones. */
export function BalanceWalk(props: BalanceWalkProps): React.ReactNode {
  const wide = useMedia(NOT_MOBILE);
  const steps = stepsOf(props);
  if (!wide) return <WalkList steps={steps} />;
  return (
    <>
      <WalkChart steps={steps} />
      <TableToggle>
        <WalkList steps={steps} />
      </TableToggle>
    </>
  );
}

function WalkList({ steps }: { readonly steps: readonly Step[] }): React.ReactNode {
  return (
    <dl className="mt-2 text-14">
      {steps.map(({ name, cents, balance }) => (
        <div key={name} className="flex justify-between border-b border-line py-2">
          <dt className={balance ? 'font-[600]' : 'text-ink-2'}>{name}</dt>
          <dd className={cx('shrink-0 tabular-nums', balance && 'font-[600]')}>
            {!balance && cents > 0 && '+'}
            {dollars(cents)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const WIDTH_PX = 560;
const LEFT_PX = 62;
const TOP_PX = 26;
const HEIGHT_PX = 150;

interface Bar extends Step {
  /** The balances at its ends, cents. */
  readonly from: number;
  readonly to: number;
}

function WalkChart({ steps }: { readonly steps: readonly Step[] }): React.ReactNode {
  const bars = steps.reduce<readonly Bar[]>((before, step) => {
    const from = step.balance ? 0 : (before.at(-1)?.to ?? 0);
    return [...before, { ...step, from, to: from + step.cents }];
  }, []);
  const edges = bars.flatMap(({ from, to }) => [from, to]);
  const mark = markOf(Math.max(100, ...edges) - Math.min(0, ...edges));
  const top = Math.ceil(Math.max(100, ...edges) / mark) * mark;
  const bottom = Math.floor(Math.min(0, ...edges) / mark) * mark;
  const y = (cents: number): number => TOP_PX + ((top - cents) / (top - bottom)) * HEIGHT_PX;
  const slot = (WIDTH_PX - LEFT_PX) / bars.length;
  const marks = Array.from({ length: Math.round((top - bottom) / mark) + 1 }, (_, index) => bottom + index * mark);
  return (
    <svg
      role="img"
      aria-label={`Balance at the processor: ${steps.map(({ name, cents }) => `${name} ${dollars(cents)}`).join(', ')}`}
      viewBox={`0 0 ${WIDTH_PX} ${TOP_PX + HEIGHT_PX + 44}`}
      className="mt-2 w-full text-ink"
      fontSize={13}
    >
      <defs>
        <pattern id="walk-out" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" y1="0" x2="0" y2="6" stroke="var(--chart-free)" strokeWidth="3" />
        </pattern>
      </defs>
      {marks.map((cents) => (
        <g key={cents}>
          <line
            x1={LEFT_PX}
            x2={WIDTH_PX}
            y1={y(cents)}
            y2={y(cents)}
            stroke={cents === 0 ? 'var(--line-strong)' : 'var(--line)'}
          />
          <text x={LEFT_PX - 8} y={y(cents) + 4} textAnchor="end" fill="var(--text-2)">
            {dollars(cents).replace(/\.00$/, '')}
          </text>
        </g>
      ))}
      {bars.slice(0, -1).map(({ name, to }, index) => (
        <line
          key={name}
          x1={LEFT_PX + (index + 0.88) * slot}
          x2={LEFT_PX + (index + 1.12) * slot}
          y1={y(to)}
          y2={y(to)}
          stroke="var(--line-strong)"
          strokeDasharray="2 2"
        />
      ))}
      {bars.map(({ name, cents, balance, from, to }, index) => {
        const x = LEFT_PX + index * slot + slot * 0.12;
        const high = Math.min(y(from), y(to));
        const label = labelLines(name);
        return (
          <g key={name}>
            <rect
              x={x}
              width={slot * 0.76}
              y={high}
              height={Math.max(1.5, Math.abs(y(from) - y(to)))}
              rx={2}
              fill={balance ? 'var(--inverse)' : cents < 0 ? 'url(#walk-out)' : 'var(--chart-paid)'}
              stroke={cents < 0 && !balance ? 'var(--chart-free)' : 'none'}
            />
            <text x={x + slot * 0.38} y={high - 6} textAnchor="middle" fontWeight={600} fill="currentColor">
              {amount(cents)}
            </text>
            {label.map((line, row) => (
              <text
                key={line}
                x={x + slot * 0.38}
                y={TOP_PX + HEIGHT_PX + 20 + row * 17}
                textAnchor="middle"
                fill="var(--text-2)"
              >
                {line}
              </text>
            ))}
          </g>
        );
      })}
    </svg>
  );
}

/** The distance of the marks: 1, 2 or 5 times a power of ten, at most four of them. */
function markOf(range: number): number {
  const power = 10 ** Math.floor(Math.log10(range / 3));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => range / each <= 4) ?? 10 * power;
}

/** A label in two lines. */
function labelLines(name: string): string[] {
  const [first = '', ...rest] = name.split(' ');
  if (rest.length === 0) return [first];
  const [second = '', ...others] = rest;
  return others.length === 0 ? [first, second] : [`${first} ${second}`, others.join(' ')];
}
