import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type CreatorAnalytics, type CreatorMoney } from '../../contract/revenue.js';
import { GetReadableCreator } from '../../creators/index.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { onlyRow } from '../../platform/database/bulk-rows.js';
import { DATABASE } from '../../platform/database/database.js';
import { QueryOf } from '../../platform/messages.js';
import { wireFields } from '../../platform/wire-fields.js';
import { addMonths, GetCreatorAnalytics, monthOf, startOfMonth } from '../../revenue/index.js';
import { creatorMoney } from '../creator-money.js';
import { type FinanceTables } from '../tables.js';
import { afterAt, dueBefore, type SummedCreator, sumsOfCreators, theseCreators } from './creator-sums.js';

/**
 * The figures of a creator's dashboard as of now, for that creator (in any status), admins and finance.
 * @param input `userId`: who asks
 * @throws DomainError forbidden, also for an unknown creator
 */
export class GetCreatorDashboard extends QueryOf<
  { readonly creatorId: string; readonly userId: string },
  CreatorAnalytics
> {}

@QueryHandler(GetCreatorDashboard)
export class GetCreatorDashboardHandler implements IQueryHandler<GetCreatorDashboard> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly queries: QueryBus,
  ) {}

  async execute({ input }: GetCreatorDashboard): Promise<CreatorAnalytics> {
    const { id: creatorId } = await this.queries.execute(new GetReadableCreator(input));
    const { this_month, stats } = await this.queries.execute(new GetCreatorAnalytics({ creatorId }));
    const { money, payouts } = await this.read(creatorId);
    return {
      revenue: {
        all_time_earnings: money.earned_cents / 100,
        this_month_earnings: this_month.creator_earnings,
        ...money,
        ...payouts,
        payout_minimum_cents: this.config.payoutMinimumCents,
      },
      stats,
      this_month,
    };
  }

  /** The money, the next payout and the cutoffs of payouts, all of the same moment. */
  private async read(creatorId: string): Promise<{ readonly money: CreatorMoney; readonly payouts: Payouts }> {
    const now = this.clock.now();
    const next = startOfMonth(addMonths(monthOf(now), 1));
    const cutoff = sql`select max(cutoff) from payout where creator_id = sums.creator_id`;
    // After a transfer that came back, less is paid than was payable at the cutoff of a later payout.
    const found = await sql<
      SummedCreator &
        Record<keyof Omit<Payouts, 'payable_by_next_month_cents'>, Date | null> & {
          readonly next_due: number;
        }
    >`
      select sums.*, ${dueBefore(sql<string>`sums.creator_id`, next)} as next_due,
        (select until from payout_hold where creator_id = sums.creator_id and until > ${now}) as held_until,
        (${cutoff} and step = 'paid' and payable_cents <= sums.paid) as paid_until,
        (${cutoff} and step in ('fixed', 'checked')) as under_way_until
      from (${sumsOfCreators(theseCreators([creatorId]), afterAt(now))}) as sums`.execute(this.db);
    const row = onlyRow(found);
    return {
      money: creatorMoney(row),
      payouts: {
        payable_by_next_month_cents: row.next_due - row.dueShare,
        ...wireFields(row, ['held_until', 'paid_until', 'under_way_until']),
      },
    };
  }
}

type Payouts = Pick<
  CreatorAnalytics['revenue'],
  'payable_by_next_month_cents' | 'held_until' | 'paid_until' | 'under_way_until'
>;
