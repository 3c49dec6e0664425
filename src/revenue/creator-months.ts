import { type CreatorMonth } from '../contract/revenue.js';
import { addMonths, monthName } from './months.js';
import { type ActivityMonthTable, type RevenueMonthTable } from './tables.js';

/** Revenue and images of a creator in a UTC month. US cents. */
export type MonthFigures = Omit<
  RevenueMonthTable & ActivityMonthTable,
  'creator_id' | 'paid_credits' | 'platform_cents'
>;

/** A month as the contract describes it; zeros when nothing happened in it. */
export function creatorMonth(month: string, figures: readonly MonthFigures[]): CreatorMonth {
  const found = figures.find((each) => each.month === month);
  return {
    month,
    month_name: monthName(month),
    creator_earnings: dollars(found?.creator_cents),
    paid_generations: found?.paid_generations ?? 0,
    free_generations: found?.free_generations ?? 0,
    corrections: dollars(found?.correction_cents),
    restorations: dollars(found?.restoration_cents),
  };
}

/**
 * The complete months before `thisMonth`, the last one first, at most `monthsBack`. Every month counts from the first
 * one with any figures.
 */
export function completeMonths(
  figures: readonly MonthFigures[],
  thisMonth: string,
  monthsBack: number,
): readonly CreatorMonth[] {
  const [first] = figures.map(({ month }) => month).sort();
  const months: CreatorMonth[] = [];
  if (first === undefined) return months;
  for (let back = 1; back <= monthsBack; back += 1) {
    const month = addMonths(thisMonth, -back);
    if (month < first) break;
    months.push(creatorMonth(month, figures));
  }
  return months;
}

/** US dollars of cents. */
function dollars(cents = 0): number {
  return cents / 100;
}
