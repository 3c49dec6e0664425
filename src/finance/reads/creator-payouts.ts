import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type CreatorPayout, type CreatorPayouts, type PayoutHold } from '../../contract/payouts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { referenceOf } from '../runs/payout-ids.js';
import { type FinanceTables, type PayoutHoldTable, type PayoutTable } from '../tables.js';

/** The place of a payout among those of its creator. */
export interface PayoutPlace {
  readonly draftedAt: Date;
  readonly payoutId: string;
}

/** The payouts of a creator, the latest first, and the last hold. @param input `before` null: from the latest one */
export class ListCreatorPayouts extends Query<CreatorPayouts> {
  constructor(
    readonly input: { readonly creatorId: string; readonly limit: number; readonly before: PayoutPlace | null },
  ) {
    super();
  }
}

@QueryHandler(ListCreatorPayouts)
export class ListCreatorPayoutsHandler implements IQueryHandler<ListCreatorPayouts> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { creatorId, limit, before } }: ListCreatorPayouts): Promise<CreatorPayouts> {
    const { rows: found } = await sql<PayoutTable>`
      select * from payout where creator_id = ${creatorId}
        ${before ? sql`and (drafted_at, payout_id) < (${before.draftedAt}::timestamptz, ${before.payoutId})` : sql``}
      order by drafted_at desc, payout_id desc limit ${limit + 1}`.execute(this.db);
    const hold = await this.db
      .selectFrom('payout_hold')
      .selectAll()
      .where('creator_id', '=', creatorId)
      .executeTakeFirst();
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      creator_id: creatorId,
      hold: hold ? toHold(hold, this.clock.now()) : null,
      payouts: page.map(toPayout),
      next: found.length > limit && last ? `${last.drafted_at.toISOString()} ${last.payout_id}` : null,
    };
  }
}

function toHold({ until, held_by, held_at, reason }: PayoutHoldTable, now: Date): PayoutHold {
  return { until: until.toISOString(), holds: until > now, held_by, held_at: held_at.toISOString(), reason };
}

function toPayout(row: PayoutTable): CreatorPayout {
  const { payout_id, run_id, step, payable_cents, paid_before_cents, amount_cents, drafted_by, checked_by } = row;
  return {
    ...{ payout_id, run_id, state: step, cutoff: row.cutoff.toISOString() },
    ...{ payable_cents, paid_before_cents, amount_cents, reference: referenceOf(payout_id) },
    ...{ drafted_by, drafted_at: row.drafted_at.toISOString(), fixed_at: row.fixed_at?.toISOString() ?? null },
    ...{ checked_by, checked_at: row.checked_at?.toISOString() ?? null, recorded_by: row.recorded_by },
    ...{ bank_reference: row.reference, paid_on: row.paid_on, ended_at: row.ended_at?.toISOString() ?? null },
    reason: row.reason,
  };
}
