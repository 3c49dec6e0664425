import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type PayoutFiles } from '../../contract/payouts.js';
import { type PageBefore, QueryOf, ReadHandler } from '../../platform/messages.js';
import { wireFields } from '../../platform/wire-fields.js';
import { type PayoutFileTable } from '../runs/run-tables.js';
import { type FinanceTables } from '../tables.js';
import { requireRun } from './payout-runs.js';
import { nameIn, namesOf } from './people.js';

/**
 * The files of a run for the bank, the latest first.
 * @param input `before`: the number of a file; null: from the latest one
 * @throws DomainError notFound
 */
export class ListPayoutFiles extends QueryOf<PageBefore<number> & { readonly runId: string }, PayoutFiles> {}

interface Row extends PayoutFileTable {
  readonly due: number;
  readonly due_cents: number;
}

@QueryHandler(ListPayoutFiles)
export class ListPayoutFilesHandler extends ReadHandler<FinanceTables, ListPayoutFiles> {
  async execute({ input: { runId, limit, before } }: ListPayoutFiles): Promise<PayoutFiles> {
    const { rows: found } = await sql<Row>`
      select f.*, due.payouts as due, due.cents as due_cents
      from (
        select * from payout_file where run_id = ${runId}::uuid ${before === null ? sql`` : sql`and file < ${before}`}
        order by file desc limit ${limit + 1}
      ) as f
      cross join lateral (
        select count(*)::int as payouts, coalesce(sum(p.amount_cents), 0)::bigint as cents
        from payout_run_creator c join payout p on p.payout_id = c.payout_id
        where c.run_id = f.run_id and c.file = f.file and c.file > 0 and p.step = 'checked'
      ) as due
      order by f.file desc`.execute(this.db);
    if (found.length === 0) await requireRun(this.db, runId);
    const page = found.slice(0, limit);
    const ids = page.flatMap(({ made_by: maker, taken_back_by: taker }) => [maker, taker]);
    const names = await namesOf(this.db, ids);
    return {
      files: page.map((row) => ({
        ...wireFields(row, ['file', 'made_by']),
        made_by_name: nameIn(names, row.made_by),
        ...wireFields(row, ['made_at', 'payouts', 'amount_cents', 'due', 'due_cents', 'taken_back_by']),
        taken_back_by_name: nameIn(names, row.taken_back_by),
        ...wireFields(row, ['taken_back_at', 'taken_back_reason']),
      })),
      next: found.length > limit ? (page.at(-1)?.file ?? null) : null,
    };
  }
}
