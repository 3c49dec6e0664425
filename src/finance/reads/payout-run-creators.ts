import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type PayoutLeftOutReason, type PayoutRunCreator, type PayoutRunCreators } from '../../contract/payouts.js';
import { GetCreators, GetPayoutDetailsDates } from '../../creators/index.js';
import { type PageAfter, QueryOf, ReadHandler } from '../../platform/messages.js';
import { wireFields } from '../../platform/wire-fields.js';
import { type DetailsFacts } from '../payouts/decide.js';
import { referenceOf } from '../runs/payout-ids.js';
import { type PayoutRunCreatorTable } from '../runs/run-tables.js';
import { type FinanceTables, type PayoutTable } from '../tables.js';
import { requireRun } from './payout-runs.js';

/**
 * The creators of a run in the order of their ids.
 * @param input `after`: the id of a creator; null: from the first one
 * @throws DomainError notFound
 */
export class ListPayoutRunCreators extends QueryOf<
  PageAfter<string> & {
    readonly runId: string;
    /** Only creators without a payout (true) or with one (false); null: all. */
    readonly skipped: boolean | null;
  },
  PayoutRunCreators
> {}

type Row = Pick<
  PayoutRunCreatorTable,
  'creator_id' | 'payable_cents' | 'paid_cents' | 'payout_id' | 'skipped' | 'file' | 'taken_back_file'
> & {
  readonly held_until: Date | null;
  readonly hold_reason: string | null;
} & {
  [Column in 'step' | 'amount_cents' | 'reference' | 'paid_on' | 'reason']: PayoutTable[Column] | null;
};

@QueryHandler(ListPayoutRunCreators)
export class ListPayoutRunCreatorsHandler extends ReadHandler<FinanceTables, ListPayoutRunCreators> {
  async execute({ input }: ListPayoutRunCreators): Promise<PayoutRunCreators> {
    const { runId, limit } = input;
    const now = this.clock.now();
    const found = await this.read(input, now);
    if (found.length === 0) await requireRun(this.db, runId);
    const page = found.slice(0, limit);
    const creatorIds = page.map(({ creator_id: creatorId }) => creatorId);
    const creators = await this.queries.execute(new GetCreators({ creatorIds }));
    const details = await this.queries.execute(new GetPayoutDetailsDates(creatorIds));
    return {
      creators: page.map((row) => {
        const { name = null, username = null } = creators.get(row.creator_id) ?? {};
        return toRunCreator(row, { name, username }, leftOut(details.get(row.creator_id), now));
      }),
      next: found.length > limit ? (page.at(-1)?.creator_id ?? null) : null,
    };
  }

  /** One row more than the page. */
  private async read(
    { runId, skipped, limit, after }: ListPayoutRunCreators['input'],
    now: Date,
  ): Promise<readonly Row[]> {
    const only = skipped === null ? sql`` : sql`and (c.payout_id is null) = ${skipped}`;
    const { rows } = await sql<Row>`
      select c.creator_id, coalesce(p.payable_cents, c.payable_cents) as payable_cents,
        coalesce(p.paid_before_cents, c.paid_cents) as paid_cents, c.payout_id, c.skipped, c.file,
        c.taken_back_file, h.until as held_until, h.reason as hold_reason, p.step, p.amount_cents, p.reference, p.paid_on, p.reason
      from payout_run_creator c left join payout p on p.payout_id = c.payout_id
      left join lateral (
        select until, reason from payout_hold where creator_id = c.creator_id and until > ${now} limit 1
      ) as h on true
      where c.run_id = ${runId}::uuid and c.creator_id > ${after ?? ''} ${only}
      order by c.creator_id limit ${limit + 1}`.execute(this.db);
    return rows;
  }
}

/** Why a file for the bank leaves a creator out; null: it does not. */
export function leftOut(details: DetailsFacts | undefined, now: Date): PayoutLeftOutReason | null {
  if (!details || details.changedAt === null) return 'no_details';
  return details.usableFrom !== null && details.usableFrom > now ? 'details_changed' : null;
}

function toRunCreator(
  row: Row,
  names: Pick<PayoutRunCreator, 'name' | 'username'>,
  left_out: PayoutLeftOutReason | null,
): PayoutRunCreator {
  const isOpen = row.step === 'drafted' || row.step === 'fixed' || row.step === 'checked';
  return {
    creator_id: row.creator_id,
    ...names,
    payable_cents: row.payable_cents,
    paid_before_cents: row.paid_cents,
    ...wireFields(row, ['payout_id', 'amount_cents']),
    state: row.step,
    skipped: row.skipped,
    left_out: isOpen ? (row.file === 0 ? 'ending' : left_out) : null,
    file: row.file === 0 ? null : row.file,
    ...wireFields(row, ['taken_back_file', 'hold_reason', 'held_until']),
    reference: row.payout_id === null ? null : referenceOf(row.payout_id),
    bank_reference: row.reference,
    ...wireFields(row, ['paid_on', 'reason']),
  };
}
