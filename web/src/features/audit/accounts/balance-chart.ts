import type { AccountStatement, StatementEntry } from '../../../../../src/contract/audit.js';

const DAY_MS = 86_400_000;
/** Days of the chart. */
const CHART_DAYS = 8;

/** The period of the chart, milliseconds since 1970. It begins at a UTC midnight. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** A balance from an instant on. */
interface BalanceStep {
  readonly time: number;
  readonly balance: number;
}

/**
 * The days of the chart: those up to the day after the instant, or after the newest line without one, and none after
 * today.
 * @param at the instant of the figures; null for now
 * @param now milliseconds since 1970
 */
export function chartPeriod(at: string | null, newest: StatementEntry | undefined, now: number): Period {
  const anchor = Date.parse(at ?? newest?.at ?? new Date(now).toISOString());
  const to = Math.min(now, (Math.floor(anchor / DAY_MS) + 2) * DAY_MS);
  return { from: (Math.ceil(to / DAY_MS) - CHART_DAYS) * DAY_MS, to: Math.max(to, 1) };
}

/** The part of a statement that the chart needs. Its lines have the newest first. */
type Lines = Pick<AccountStatement, 'lines' | 'total_lines'>;

/**
 * The balance in a period as steps, the first at its beginning. Without all lines of the period, the first is at the
 * oldest line that is there: the balance before it is not known.
 */
export function stepsIn(
  period: Period,
  statement: Lines & { readonly opening: { readonly total: number } },
): readonly BalanceStep[] {
  const { from, to } = period;
  const { lines, opening } = statement;
  const before = lines.find(({ at }) => Date.parse(at) < from);
  const within = lines.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) <= to).reverse();
  return [
    ...(hasPeriod(statement, period) ? [{ time: from, balance: before?.balance ?? opening.total }] : []),
    ...within.map(({ at, balance }) => ({ time: Date.parse(at), balance })),
  ];
}

/** Whether the newest lines of an account have all lines of the period. */
export function hasPeriod({ lines, total_lines: total }: Lines, { from }: Period): boolean {
  const oldest = lines.at(-1);
  return lines.length === total || (oldest !== undefined && Date.parse(oldest.at) < from);
}

/** The balance at an instant, by the steps. Undefined before the first. */
export function balanceIn(steps: readonly BalanceStep[], instant: number): number | undefined {
  return steps.findLast(({ time }) => time <= instant)?.balance;
}

/** Two or three round figures from 0 to at least `most`, for the lines of a grid. */
export function gridFigures(most: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const step =
    [0.5, 1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= 1 && most / size <= 3) ?? power;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
}

/** The UTC midnights in a period, at which the days of its axis begin. */
export function midnightsIn({ from, to }: Period): readonly number[] {
  const midnights: number[] = [];
  for (let day = from; day < to; day += DAY_MS) midnights.push(day);
  return midnights;
}
