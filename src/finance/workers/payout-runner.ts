import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type PayoutSkipReason } from '../../contract/payouts.js';
import { GetPayoutDetailsDates } from '../../creators/index.js';
import { Scheduled, ScheduledWorker } from '../../platform/scheduled-worker.js';
import { DATABASE } from '../../platform/database/database.js';
import { rowsAs } from '../../platform/database/bulk-rows.js';
import { StreamDeletedError } from '../../platform/event-store/event-store.js';
import { FaultPoints } from '../../platform/fault-points.js';
import { Locks } from '../../platform/locks.js';
import { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import { cancelPayout, checkPayout, draftPayout, fixPayout, PayoutRefusedError, payPayout } from '../payouts/decide.js';
import { type LoadedPayouts, type PayoutOrigin, PayoutStore } from '../payouts/payout-store.js';
import { booksProjection } from '../reads/books-projection.js';
import { creatorsAfter, sumsOfCreators, theseCreators } from '../reads/creator-sums.js';
import { payoutsProjection } from '../reads/payouts-projection.js';
import { type FinanceTables } from '../tables.js';
import { payoutIdOf } from '../runs/payout-ids.js';
import { type BankReportLineTable, type DraftedCreator, type PayoutRunTable } from '../runs/run-tables.js';

const INTERVAL_MS = 60_000;
const LOCK = 'payout-runner';
/** Creators, or lines of a bank's file, that are carried out together. */
const PAYOUTS_TOGETHER = 200;

/**
 * Carries out what people decided about runs and bank files, creator by creator: at once when it is woken, and once a
 * minute, on one instance. After a crash it goes on with the page at which it stopped. A page that is carried out again
 * changes nothing, because the streams know each step. What a creator's stream refuses is left out, and never repeated.
 */
@Injectable()
@Scheduled('payout-runner', INTERVAL_MS, { fromStart: true })
export class PayoutRunner extends ScheduledWorker {
  protected override readonly failure = 'Payouts could not be carried out. The next run is in a minute.';

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly payouts: PayoutStore,
    private readonly projections: ProjectionRunner,
    private readonly queries: QueryBus,
    private readonly locks: Locks,
    private readonly faults: FaultPoints,
  ) {
    super();
  }

  /** Carries out everything that is open. @throws the error of the first page that fails */
  async runOnce(): Promise<void> {
    await this.locks.withLock(LOCK, async () => {
      const { rows: runs } = await sql<PayoutRunTable>`
        select * from payout_run where working order by number`.execute(this.db);
      const { rows: reports } = await sql<{ id: string }>`
        select id from bank_report where not done order by recorded_at, id`.execute(this.db);
      if (runs.length === 0 && reports.length === 0) return;
      // All earnings before the cutoff must be in the books.
      await this.projections.catchUp(booksProjection.name);
      for (const run of runs) await this.carryOut(run);
      for (const { id } of reports) await this.record(id);
      await this.projections.catchUp(payoutsProjection.name);
    });
  }

  protected override work(): Promise<void> {
    return this.runOnce();
  }

  private async carryOut(run: PayoutRunTable): Promise<void> {
    for (let after = run.done_until; !this.stopped;) {
      const { creatorIds, drafted } = await (run.step === 'draft' ? this.draft(run, after) : this.advance(run, after));
      this.faults.reach('payouts.page-appended');
      const last = creatorIds.at(-1) ?? after;
      const working = creatorIds.length === PAYOUTS_TOGETHER;
      // The page of a run asks seldom once it is done, and must show its payouts then.
      if (!working) await this.projections.catchUp(payoutsProjection.name);
      await this.db.transaction().execute(async (transaction) => {
        if (drafted.length > 0) {
          await sql`
            insert into payout_run_creator (run_id, creator_id, payable_cents, paid_cents, payout_id, skipped)
            ${rowsAs(drafted, CREATOR_COLUMNS)} on conflict do nothing`.execute(transaction);
        }
        await sql`
          update payout_run set done_until = ${last}, working = ${working}
          where id = ${run.id} and step = ${run.step}`.execute(transaction);
      });
      this.faults.reach('payouts.page-done');
      after = last;
      if (!working) return;
    }
  }

  /** Drafts the payouts of a page of creators. */
  private async draft(run: PayoutRunTable, after: string): Promise<DonePage> {
    const page = creatorsAfter(after, PAYOUTS_TOGETHER);
    const { rows: shares } = await sumsOfCreators(page, run.cutoff).execute(this.db);
    const creatorIds = shares.map(({ creator_id: creatorId }) => creatorId);
    const details = await this.queries.execute(new GetPayoutDetailsDates(creatorIds));
    const loaded = await this.payouts.loadAll(creatorIds);
    const origin = originOf(run, run.drafted_by, run.draft_act);
    const rows = await Promise.all(
      shares.map(async ({ creator_id: creatorId, dueShare: payableCents }) => {
        const payoutId = payoutIdOf(run.id, creatorId);
        let skipped: PayoutSkipReason | null = null;
        let paidCents = 0;
        const drafting = this.payouts.execute(
          creatorId,
          origin,
          (state, now) => {
            const draft = draftPayout(
              state,
              {
                payoutId,
                runId: run.id,
                cutoff: run.cutoff,
                payableCents,
                minimumCents: run.minimum_cents,
                draftedBy: run.drafted_by,
                details: details.get(creatorId) ?? { changedAt: null, usableFrom: null },
              },
              now,
            );
            ({ skipped } = draft);
            ({ paidCents } = state);
            return draft.events;
          },
          loaded.get(creatorId),
        );
        if ((await this.unlessRefused(drafting)) !== null) return [];
        const row: DraftedCreator = {
          run_id: run.id,
          creator_id: creatorId,
          payable_cents: payableCents,
          paid_cents: paidCents,
          skipped,
          payout_id: skipped === null ? payoutId : null,
        };
        return [row];
      }),
    );
    return { creatorIds, drafted: rows.flat() };
  }

  /** Fixes, checks or cancels the payouts of a page of creators. A payout that was cancelled by hand is left out. */
  private async advance(run: PayoutRunTable, after: string): Promise<DonePage> {
    const { rows } = await sql<{ creator_id: string; payout_id: string }>`
      select creator_id, payout_id from payout_run_creator
      where run_id = ${run.id} and payout_id is not null and creator_id > ${after}
      order by creator_id limit ${PAYOUTS_TOGETHER}`.execute(this.db);
    const creatorIds = rows.map(({ creator_id: creatorId }) => creatorId);
    const sums = sumsOfCreators(theseCreators(creatorIds), run.cutoff);
    const shares = run.step === 'fix' ? (await sums.execute(this.db)).rows : [];
    const payable = new Map(shares.map(({ creator_id: creatorId, dueShare }) => [creatorId, dueShare]));
    const loaded = await this.payouts.loadAll(creatorIds);
    await Promise.all(
      rows.map(({ creator_id: creatorId, payout_id: payoutId }) =>
        this.unlessRefused(this.step(run, { creatorId, payoutId }, payable.get(creatorId) ?? 0, loaded.get(creatorId))),
      ),
    );
    return { creatorIds, drafted: [] };
  }

  private step(
    run: PayoutRunTable,
    { creatorId, payoutId }: { readonly creatorId: string; readonly payoutId: string },
    payableCents: number,
    loaded: LoadedPayouts | undefined,
  ): Promise<unknown> {
    if (run.step === 'fix') {
      const origin = originOf(run, run.fixed_by, run.fix_act);
      return this.payouts.execute(creatorId, origin, (state) => fixPayout(state, payoutId, payableCents), loaded);
    }
    if (run.step === 'check') {
      const origin = originOf(run, run.checked_by, run.check_act);
      return this.payouts.execute(creatorId, origin, (state) => checkPayout(state, payoutId, origin.actorId), loaded);
    }
    const origin = originOf(run, run.cancelled_by, run.cancel_act);
    const reason = run.cancel_reason ?? '';
    return this.payouts.execute(creatorId, origin, (state) => cancelPayout(state, payoutId, reason), loaded);
  }

  /** Records the transfers of a bank's file. */
  private async record(reportId: string): Promise<void> {
    const { rows: reports } = await sql<{ act_id: string; recorded_by: string }>`
      select act_id, recorded_by from bank_report where id = ${reportId}`.execute(this.db);
    const report = reports[0];
    while (report && !this.stopped) {
      const { rows } = await sql<BankReportLineTable>`
        select * from bank_report_line where report_id = ${reportId} and outcome is null
        order by line limit ${PAYOUTS_TOGETHER}`.execute(this.db);
      // One after the other for each creator, all creators at once
      const byCreator = new Map<string | null, BankReportLineTable[]>();
      for (const row of rows) byCreator.set(row.creator_id, [...(byCreator.get(row.creator_id) ?? []), row]);
      const ended = await Promise.all(
        [...byCreator.values()].map(async (lines) => {
          const outcomes: Outcome[] = [];
          for (const line of lines) outcomes.push({ line: line.line, problem: await this.pay(line, report) });
          return outcomes;
        }),
      );
      this.faults.reach('payouts.transfers-appended');
      const outcomes = ended.flat();
      if (outcomes.length > 0) {
        await sql`
          update bank_report_line l set problem = o.problem,
            outcome = case when o.problem is null then 'recorded' else 'refused' end
          from (${rowsAs(outcomes, { line: 'integer', problem: 'text' })}) as o (line, problem)
          where l.report_id = ${reportId} and l.line = o.line`.execute(this.db);
      }
      if (rows.length === PAYOUTS_TOGETHER) continue;
      await sql`update bank_report set done = true where id = ${reportId}`.execute(this.db);
      return;
    }
  }

  /** @returns why the transfer was refused; null when it is recorded, by this line or an earlier one */
  private async pay(
    line: BankReportLineTable,
    { act_id: causationId, recorded_by: actorId }: { readonly act_id: string; readonly recorded_by: string },
  ): Promise<string | null> {
    const { payout_id: payoutId, creator_id: creatorId, bank_reference: reference, paid_on: paidOn } = line;
    if (creatorId === null) return 'There is no such payout.';
    const transfer = { payoutId, amountCents: line.amount_cents, reference, paidOn, recordedBy: actorId };
    const origin = { actorId, causationId, correlationId: causationId };
    return this.unlessRefused(this.payouts.execute(creatorId, origin, (state) => payPayout(state, transfer)));
  }

  /**
   * Others must not wait for a creator whose stream another program deleted.
   * @returns the words of the refusal; null without one
   */
  private async unlessRefused(work: Promise<unknown>): Promise<string | null> {
    try {
      await work;
      return null;
    } catch (error) {
      if (error instanceof PayoutRefusedError) return error.message;
      if (!(error instanceof StreamDeletedError)) throw error;
      this.logger.error({ message: 'The payouts of a creator cannot be recorded.', error });
      return 'The payouts of this creator were deleted in the event store.';
    }
  }
}

/** A page of creators that was carried out. */
interface DonePage {
  readonly creatorIds: readonly string[];
  /** The rows of a draft. */
  readonly drafted: readonly DraftedCreator[];
}

type Outcome = { line: number; problem: string | null };

const CREATOR_COLUMNS = {
  run_id: 'uuid',
  creator_id: 'text',
  payable_cents: 'bigint',
  paid_cents: 'bigint',
  payout_id: 'text',
  skipped: 'text',
} as const satisfies Record<keyof DraftedCreator, string>;

function originOf(run: PayoutRunTable, actorId: string | null, act: string | null): PayoutOrigin {
  return { actorId: actorId ?? 'system', causationId: act ?? run.draft_act, correlationId: run.id };
}
