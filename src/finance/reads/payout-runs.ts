import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type PayoutRun, type PayoutRuns, type PayoutRunSums } from '../../contract/payouts.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { type PayoutRunTable } from '../runs/run-tables.js';
import { type FinanceTables } from '../tables.js';

/** Payout runs, the latest first. @param input `before`: the number of a run; null: from the latest one */
export class ListPayoutRuns extends Query<PayoutRuns> {
  constructor(readonly input: { readonly limit: number; readonly before: number | null }) {
    super();
  }
}

@QueryHandler(ListPayoutRuns)
export class ListPayoutRunsHandler implements IQueryHandler<ListPayoutRuns> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<FinanceTables>) {}

  async execute({ input: { limit, before } }: ListPayoutRuns): Promise<PayoutRuns> {
    const found = await this.db
      .selectFrom('payout_run')
      .selectAll()
      .$if(before !== null, (query) => query.where('number', '<', before))
      .orderBy('number', 'desc')
      .limit(limit + 1)
      .execute();
    const page = found.slice(0, limit);
    return { runs: page.map(toPayoutRun), next: found.length > limit ? (page.at(-1)?.number ?? null) : null };
  }
}

/** A run with its sums. @throws DomainError notFound */
export class GetPayoutRun extends Query<PayoutRunSums> {
  constructor(readonly runId: string) {
    super();
  }
}

@QueryHandler(GetPayoutRun)
export class GetPayoutRunHandler implements IQueryHandler<GetPayoutRun> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<FinanceTables>) {}

  /** One statement; the sums read the rows of the run. */
  async execute({ runId }: GetPayoutRun): Promise<PayoutRunSums> {
    const { rows } = await sql<
      PayoutRunTable & Pick<PayoutRunSums, 'creators' | 'carried_out' | 'payouts' | 'skipped'>
    >`
      select r.*, counted.creators, counted.carried_out, payouts.sums as payouts, skipped.sums as skipped
      from payout_run r
      cross join lateral (
        select count(*)::int as creators,
          count(*) filter (where (r.step = 'draft' or c.payout_id is not null)
            and (not r.working or c.creator_id <= r.done_until))::int as carried_out
        from payout_run_creator c where c.run_id = r.id
      ) as counted
      cross join lateral (
        select coalesce(json_agg(sum order by sum.state), '[]') as sums
        from (
          select step as state, count(*)::int as payouts, sum(amount_cents)::bigint as amount_cents
          from payout where run_id = r.id::text group by step
        ) as sum
      ) as payouts
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
    const { creators, carried_out, payouts, skipped } = run;
    return { ...toPayoutRun(run), creators, carried_out, payouts, skipped };
  }
}

/** A run as the calls answer it. */
export function toPayoutRun(run: PayoutRunTable): PayoutRun {
  const { id, number, cutoff, minimum_cents, step, working, drafted_by, drafted_at, fixed_by, fixed_at } = run;
  const { checked_by, checked_at, cancelled_by, cancelled_at, cancel_reason } = run;
  return {
    ...{ run_id: id, number, cutoff: cutoff.toISOString(), minimum_cents, step, working },
    ...{ drafted_by, drafted_at: drafted_at.toISOString(), fixed_by, fixed_at: fixed_at?.toISOString() ?? null },
    ...{ checked_by, checked_at: checked_at?.toISOString() ?? null },
    ...{ cancelled_by, cancelled_at: cancelled_at?.toISOString() ?? null, cancel_reason },
    files: run.files,
  };
}

export function noSuchRun(): DomainError {
  return new DomainError('notFound', 'There is no such payout run.');
}
