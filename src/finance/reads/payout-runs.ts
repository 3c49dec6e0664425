import { QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type ListedPayoutRun, type PayoutRun, type PayoutRuns, type PayoutRunSums } from '../../contract/payouts.js';
import { type PageBefore, QueryOf, ReadHandler } from '../../platform/messages.js';
import { DomainError } from '../../platform/domain-error.js';
import { wireFields } from '../../platform/wire-fields.js';
import { type PayoutRunTable } from '../runs/run-tables.js';
import { type FinanceTables } from '../tables.js';
import { nameIn, namesOf } from './people.js';

/** Payout runs, the latest first. @param input `before`: the number of a run; null: from the latest one */
export class ListPayoutRuns extends QueryOf<PageBefore<number>, PayoutRuns> {}

@QueryHandler(ListPayoutRuns)
export class ListPayoutRunsHandler extends ReadHandler<FinanceTables, ListPayoutRuns> {
  /** Two statements; the sums read the payouts of each run. */
  async execute({ input: { limit, before } }: ListPayoutRuns): Promise<PayoutRuns> {
    const { rows: found } = await sql<SummedRun>`
      select r.*, ${SUMS}
      from (
        select * from payout_run ${before === null ? sql`` : sql`where number < ${before}`}
        order by number desc limit ${limit + 1}
      ) as r
      ${FROM_SUMS}
      order by r.number desc`.execute(this.db);
    const page = found.slice(0, limit);
    return {
      runs: await listedRuns(this.db, page),
      next: found.length > limit ? (page.at(-1)?.number ?? null) : null,
    };
  }
}

/** A run with the sums of its payouts. */
interface SummedRun extends PayoutRunTable {
  readonly sums: ListedPayoutRun['payouts'];
  readonly recorders: readonly string[] | null;
  readonly recorded_at: Date | null;
}

const SUMS = sql`sums.sums, sums.recorders, sums.recorded_at`;

/** The sums of the payouts of the run `r`. */
const FROM_SUMS = sql`
  cross join lateral (
    select coalesce(json_agg(json_build_object('state', step, 'payouts', payouts, 'amount_cents', cents)
        order by step), '[]') as sums,
      json_agg(recorders) filter (where step = 'paid') -> 0 as recorders, max(recorded_at) as recorded_at
    from (
      select step, count(*)::int as payouts, sum(amount_cents)::bigint as cents,
        json_agg(distinct recorded_by) as recorders, max(ended_at) filter (where step = 'paid') as recorded_at
      from payout where run_id = r.id::text group by step
    ) as by_step
  ) as sums`;

/** The runs with the names of their people. One statement. */
async function listedRuns(db: Kysely<FinanceTables>, runs: readonly SummedRun[]): Promise<ListedPayoutRun[]> {
  const ids = runs.flatMap((run) => [
    ...[run.drafted_by, run.fixed_by, run.checked_by, run.cancelled_by],
    ...(run.recorders ?? []),
  ]);
  const names = await namesOf(db, ids);
  return runs.map((run) => ({
    ...toPayoutRun(run),
    drafted_by_name: nameIn(names, run.drafted_by),
    fixed_by_name: nameIn(names, run.fixed_by),
    checked_by_name: nameIn(names, run.checked_by),
    cancelled_by_name: nameIn(names, run.cancelled_by),
    payouts: run.sums,
    recorded_by: (run.recorders ?? []).map((id) => ({ id, name: nameIn(names, id) })),
    recorded_at: run.recorded_at?.toISOString() ?? null,
  }));
}

/** A run with its sums. @throws DomainError notFound */
export class GetPayoutRun extends QueryOf<string, PayoutRunSums> {}

@QueryHandler(GetPayoutRun)
export class GetPayoutRunHandler extends ReadHandler<FinanceTables, GetPayoutRun> {
  /** Two statements; the sums read the rows of the run. */
  async execute({ input: runId }: GetPayoutRun): Promise<PayoutRunSums> {
    const { rows } = await sql<SummedRun & Pick<PayoutRunSums, 'creators' | 'carried_out' | 'skipped'>>`
      select r.*, counted.creators, counted.carried_out, skipped.sums as skipped, ${SUMS}
      from payout_run r
      cross join lateral (
        select count(*)::int as creators,
          count(*) filter (where (r.step = 'draft' or c.payout_id is not null)
            and (not r.working or c.creator_id <= r.done_until))::int as carried_out
        from payout_run_creator c where c.run_id = r.id
      ) as counted
      ${FROM_SUMS}
      cross join lateral (
        select coalesce(json_agg(sum order by sum.reason), '[]') as sums
        from (
          select skipped as reason, count(*)::int as creators, sum(payable_cents - paid_cents)::bigint as amount_cents
          from payout_run_creator c where c.run_id = r.id and skipped is not null group by skipped
        ) as sum
      ) as skipped
      where r.id = ${runId}::uuid`.execute(this.db);
    const run = rows[0];
    if (!run) throw noSuchRun();
    const { creators, carried_out, skipped } = run;
    const [listed] = await listedRuns(this.db, [run]);
    if (!listed) throw noSuchRun();
    return { ...listed, creators, carried_out, skipped };
  }
}

/** A run as the calls answer it. */
export function toPayoutRun(run: PayoutRunTable): PayoutRun {
  return {
    run_id: run.id,
    ...wireFields(run, ['number', 'cutoff', 'minimum_cents', 'step', 'working']),
    ...wireFields(run, ['drafted_by', 'drafted_at', 'fixed_by', 'fixed_at', 'checked_by', 'checked_at']),
    ...wireFields(run, ['cancelled_by', 'cancelled_at', 'cancel_reason', 'files']),
  };
}

export function noSuchRun(): DomainError {
  return new DomainError('notFound', 'There is no such payout run.');
}

/** @throws DomainError notFound */
export async function requireRun(db: Kysely<FinanceTables>, runId: string): Promise<void> {
  const run = await db.selectFrom('payout_run').select('id').where('id', '=', runId).executeTakeFirst();
  if (!run) throw noSuchRun();
}
