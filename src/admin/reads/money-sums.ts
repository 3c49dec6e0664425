import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { type CreatorMoney } from '../../contract/revenue.js';
import { creditsHeldAt } from '../../credits/index.js';
import { moneyOfAllRow, type MoneyOfAllRow, moneyOfAllSelect } from '../../finance/index.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { addMonths, monthOf } from '../../revenue/index.js';

/** Time for which the sums are kept (milliseconds). */
const KEPT_MS = 60_000;
/** Months of the small charts. */
const MONTHS_SHOWN = 10;

/** Sums over all creators and accounts as of at most a minute ago. Money is in cents. */
export interface MoneySums {
  readonly platformCents: number;
  readonly creators: CreatorMoney;
  readonly correctionsCents: number;
  /** Creators' earnings of the UTC month so far. */
  readonly thisMonthCents: number;
  readonly paidGenerations: number;
  readonly creditsHeld: number;
  /** Images of the last ten UTC months that have any, by month (YYYY-MM). */
  readonly months: readonly { readonly month: string; readonly paid: number; readonly free: number }[];
}

/** Sums over all accounts and creators, from totals of projections. Each process reads them once a minute at most. */
@Injectable()
export class MoneySumsReader {
  private known: { readonly at: number; readonly sums: Promise<MoneySums> } | null = null;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<unknown>,
    private readonly clock: Clock,
  ) {}

  read(): Promise<MoneySums> {
    const now = this.clock.now();
    const age = this.known ? now.getTime() - this.known.at : KEPT_MS;
    if (this.known && age >= 0 && age < KEPT_MS) return this.known.sums;
    const sums = this.sum(now);
    this.known = { at: now.getTime(), sums };
    // A failure is not kept.
    sums.catch(() => (this.known = null));
    return sums;
  }

  private async sum(now: Date): Promise<MoneySums> {
    const { rows } = await sql<Omit<MoneySums, 'creators'> & { books: MoneyOfAllRow }>`
      select (select row_to_json(books) from (${moneyOfAllSelect(now)}) as books) as books,
        coalesce(sum(platform_cents), 0)::bigint as "platformCents",
        coalesce(-sum(correction_cents + restoration_cents), 0)::bigint as "correctionsCents",
        coalesce(sum(creator_cents) filter (where month = ${monthOf(now)}), 0)::bigint as "thisMonthCents",
        coalesce(sum(paid_generations), 0)::bigint as "paidGenerations",
        ${creditsHeldAt(now)} as "creditsHeld",
        (
          select coalesce(json_agg(m order by m.month), '[]') from (
            select month, paid_generations as paid, free_generations as free
            from platform_activity_month where month >= ${lastMonths(now)[0]}
          ) as m
        ) as months
      from platform_revenue_month`.execute(this.db);
    const [row] = rows;
    if (!row) throw new Error('The sums were not returned.');
    const { books, ...sums } = row;
    return { ...sums, creators: moneyOfAllRow(books) };
  }
}

/** The last ten UTC months as YYYY-MM, the present one last. */
export function lastMonths(now: Date): readonly string[] {
  return Array.from({ length: MONTHS_SHOWN }, (_, index) => addMonths(monthOf(now), index - (MONTHS_SHOWN - 1)));
}
