import type { EarningRow, RevenueMonthTable } from '../../src/revenue/tables.js';

/** Adds up rows of `creator_earning` to the rows of `creator_revenue_month`, without code of the product. */
export class RevenueMonths {
  private readonly byCreator = new Map<string, Map<string, RevenueMonthTable>>();

  add({ kind, line, creator_id, month, own_generation: own, credits, ...cents }: EarningRow): void {
    const sum = this.sumOf(creator_id, month);
    if (kind === 'earning' && line === 0 && !own) sum.paid_generations += 1;
    sum.paid_credits += credits;
    sum.creator_cents += cents.creator_cents;
    sum.platform_cents += cents.platform_cents;
    if (kind === 'earning') return;
    if (kind === 'correction') sum.correction_cents += cents.creator_cents;
    else sum.restoration_cents += cents.creator_cents;
    if (!own) sum.changes += 1;
  }

  *months(): Generator<RevenueMonthTable> {
    for (const months of this.byCreator.values()) yield* months.values();
  }

  private sumOf(creator_id: string, month: string): RevenueMonthTable {
    let months = this.byCreator.get(creator_id);
    if (!months) this.byCreator.set(creator_id, (months = new Map<string, RevenueMonthTable>()));
    let sum = months.get(month);
    if (!sum) {
      const none = { paid_generations: 0, paid_credits: 0, creator_cents: 0, platform_cents: 0 };
      sum = { creator_id, month, ...none, correction_cents: 0, restoration_cents: 0, changes: 0 };
      months.set(month, sum);
    }
    return sum;
  }
}
