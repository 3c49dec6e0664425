import type { CreatorMonth } from '../../../../src/contract/revenue.js';
import { monthText } from '../../lib/months.js';

/** A month as the chart and its table show it. */
export interface ChartMonth {
  readonly month: string;
  /** `Oct`, or `Nov*` for the month in progress. */
  readonly label: string;
  readonly name: string;
  readonly paid: number;
  readonly free: number;
  /** Dollars of the creator. */
  readonly earnings: number;
  /** Amounts in `earnings` that are not the half of these images; empty in most months. */
  readonly changes: readonly { readonly label: string; readonly amount: number }[];
  readonly inProgress: boolean;
}

/**
 * The months of the chart, the oldest first; the last one is in progress.
 * @param history complete months, the last one first
 */
export function chartMonths(history: readonly CreatorMonth[], current: CreatorMonth): ChartMonth[] {
  const complete = history.filter(({ month }) => month !== current.month).reverse();
  return [...complete.map((month) => chartMonth(month, false)), chartMonth(current, true)];
}

function chartMonth(figures: CreatorMonth, inProgress: boolean): ChartMonth {
  const { month, month_name: name, paid_generations: paid, free_generations: free } = figures;
  const label = monthText.short(month) + (inProgress ? '*' : '');
  const changes = [
    { label: 'of it taken back', amount: figures.corrections },
    { label: 'of it given back', amount: figures.restorations },
  ].filter(({ amount }) => amount !== 0);
  return { month, label, name, paid, free, earnings: figures.creator_earnings, changes, inProgress };
}
