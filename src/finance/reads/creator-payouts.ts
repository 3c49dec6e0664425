import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type CreatorPayout, type CreatorPayouts, type PayoutHold } from '../../contract/payouts.js';
import { GetCreators } from '../../creators/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { parseInstant } from '../../platform/instant.js';
import { type PageBefore, QueryOf, ReadHandler } from '../../platform/messages.js';
import { wireFields } from '../../platform/wire-fields.js';
import { referenceOf } from '../runs/payout-ids.js';
import { type FinanceTables, type PayoutHoldTable, type PayoutTable } from '../tables.js';

/** The place of a payout among those of its creator. */
export interface PayoutCursor {
  readonly draftedAt: Date;
  readonly payoutId: string;
}

/** The place that `next` of a page has named. @throws DomainError invalid */
export function cursorOf(text: string): PayoutCursor {
  const [time = '', payoutId = ''] = text.split(' ');
  const draftedAt = parseInstant(time);
  if (!draftedAt) throw new DomainError('invalid', 'p_before must be the value of `next`');
  return { draftedAt, payoutId };
}

/** The payouts of a creator, the latest first, and the last hold. @param input `before` null: from the latest one */
export class ListCreatorPayouts extends QueryOf<
  PageBefore<PayoutCursor> & { readonly creatorId: string },
  CreatorPayouts
> {}

@QueryHandler(ListCreatorPayouts)
export class ListCreatorPayoutsHandler extends ReadHandler<FinanceTables, ListCreatorPayouts> {
  async execute({ input: { creatorId, limit, before } }: ListCreatorPayouts): Promise<CreatorPayouts> {
    const { rows: found } = await sql<Row>`
      select p.*, r.number as run_number, recorder.name as recorded_by_name
      from payout p left join payout_run r on r.id = p.run_id::uuid
      left join app_user recorder on recorder.id = p.recorded_by and recorder.deleted_at is null
      where p.creator_id = ${creatorId}
        ${before ? sql`and (p.drafted_at, p.payout_id) < (${before.draftedAt}::timestamptz, ${before.payoutId})` : sql``}
      order by p.drafted_at desc, p.payout_id desc limit ${limit + 1}`.execute(this.db);
    const { rows: holds } = await sql<HoldRow>`
      select h.*, holder.name as held_by_name
      from payout_hold h left join app_user holder on holder.id = h.held_by and holder.deleted_at is null
      where h.creator_id = ${creatorId}`.execute(this.db);
    const [hold] = holds;
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const creators = await this.queries.execute(new GetCreators({ creatorIds: [creatorId] }));
    const { name = null, username = null } = creators.get(creatorId) ?? {};
    return {
      creator_id: creatorId,
      name,
      username,
      hold: hold ? toHold(hold, this.clock.now()) : null,
      payouts: page.map(toPayout),
      next: found.length > limit && last ? `${last.drafted_at.toISOString()} ${last.payout_id}` : null,
    };
  }
}

type Row = PayoutTable & { readonly run_number: number | null; readonly recorded_by_name: string | null };
type HoldRow = PayoutHoldTable & { readonly held_by_name: string | null };

function toHold({ until, held_by, held_by_name, held_at, reason }: HoldRow, now: Date): PayoutHold {
  const by = { held_by, held_by_name, held_at: held_at.toISOString() };
  return { until: until.toISOString(), holds: until > now, ...by, reason };
}

function toPayout(row: Row): CreatorPayout {
  return {
    ...wireFields(row, ['payout_id', 'run_id', 'run_number']),
    state: row.step,
    ...wireFields(row, ['cutoff', 'payable_cents', 'paid_before_cents', 'amount_cents']),
    reference: referenceOf(row.payout_id),
    ...wireFields(row, ['drafted_by', 'drafted_at', 'fixed_at', 'checked_by', 'checked_at']),
    ...wireFields(row, ['recorded_by', 'recorded_by_name']),
    bank_reference: row.reference,
    ...wireFields(row, ['paid_on', 'ended_at', 'reason']),
  };
}
