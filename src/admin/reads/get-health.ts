import { statfs } from 'node:fs/promises';
import { Inject, Logger } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type AdminHealth } from '../../contract/admin.js';
import { HOUR_MS, MINUTE_MS } from '../../contract/durations.js';
import { COUNTED_TO } from '../../contract/limits.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DATABASE } from '../../platform/database/database.js';
import { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import { type HealthFacts, healthLines } from '../health-lines.js';

/** Images by which the provider is judged. */
const IMAGES_JUDGED = 1_000;

/** The health of the machinery, one line for each part. */
export class GetAdminHealth extends Query<AdminHealth> {}

interface Row {
  readonly problems: number;
  readonly verifiedUntil: Date | null;
  readonly sealedAt: Date | null;
  readonly due: number;
  readonly oldestDue: Date | null;
  readonly ended: number;
  readonly failed: number;
  readonly refusal: number | null;
  readonly waiting: number;
  readonly oldestWaiting: Date | null;
  readonly paymentProblems: number;
  readonly closings: number;
  readonly oldestClosing: Date | null;
  readonly overdueFiles: number;
}

@QueryHandler(GetAdminHealth)
export class GetAdminHealthHandler implements IQueryHandler<GetAdminHealth> {
  private readonly logger = new Logger(GetAdminHealthHandler.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<unknown>,
    @Inject(CONFIG) private readonly config: Config,
    private readonly projections: ProjectionRunner,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<AdminHealth> {
    const now = this.clock.now();
    const [row, projections, free] = await Promise.all([
      this.readTables(now),
      this.projections.pulse(),
      this.freeSpace(),
    ]);
    const facts: HealthFacts = {
      ledger: { problems: row.problems, verifiedUntil: row.verifiedUntil, sealedAt: row.sealedAt },
      projections,
      images: { dueImages: row.due, oldestDue: row.oldestDue },
      provider: { ended: row.ended, failed: row.failed, refusal: row.refusal },
      payments: { waiting: row.waiting, oldestWaiting: row.oldestWaiting, problems: row.paymentProblems },
      closings: { open: row.closings, oldest: row.oldestClosing },
      files: { overdue: row.overdueFiles, free },
    };
    return { at: now.toISOString(), lines: healthLines(facts, now) };
  }

  /** One statement. Each part reads at most 10,000 rows, by an index. */
  private async readTables(now: Date): Promise<Row> {
    const limit = sql`limit ${sql.lit(COUNTED_TO)}`;
    const before = (ms: number): Date => new Date(now.getTime() - ms);
    const { rows } = await sql<Row>`
      select
        (select count(*)::int from (select 1 from ledger_problem ${limit}) as l) as problems,
        (select verified_until from ledger_verification) as "verifiedUntil",
        (
          select status from generation_provider_refusal r
          where not exists (select from generation g where g.created_at > r.refused_at and g.prediction_id is not null)
          order by refused_at desc limit 1
        ) as refusal,
        (select max(sealed_at) from ledger_seal where published_at is not null) as "sealedAt",
        step.due, step.oldest as "oldestDue", image.ended, image.failed,
        event.waiting, event.oldest as "oldestWaiting",
        (
          select count(*)::int from (
            select 1 from payment_problem where resolved_at is null order by first_seen_at ${limit}
          ) as p
        ) as "paymentProblems",
        closing.open as closings, closing.oldest as "oldestClosing",
        (
          select count(*)::int from (
            select 1 from generation_media_removal where remove_at < ${before(HOUR_MS)} order by remove_at ${limit}
          ) as f
        ) as "overdueFiles"
      from (
        select count(*)::int as due, min(not_before) as oldest from (
          select not_before from generation
          where (status = 'pending' or credits_closed_at is null or provider_cancel_due)
            and not_before < ${before(MINUTE_MS)}
          order by not_before ${limit}
        ) as g
      ) as step, (
        select (count(*) filter (where status = 'completed' or refund_reason in ${FAULTS}))::int as ended,
          (count(*) filter (where refund_reason in ${FAULTS}))::int as failed
        from (
          select status, refund_reason from generation where created_at >= ${before(HOUR_MS)}
          order by created_at desc, id desc limit ${sql.lit(IMAGES_JUDGED)}
        ) as g
      ) as image, (
        select count(*)::int as waiting, min(received_at) as oldest from (
          select received_at from payment_event where handled_at is null order by not_before ${limit}
        ) as e
      ) as event, (
        select count(*)::int as open, min(requested_at) as oldest from (
          select requested_at from account_closure where finished_at is null order by not_before ${limit}
        ) as c
      ) as closing`.execute(this.db);
    const [row] = rows;
    if (!row) throw new Error('The facts of the health were not returned.');
    return row;
  }

  private async freeSpace(): Promise<HealthFacts['files']['free']> {
    try {
      const { bavail, blocks, bsize } = await statfs(this.config.dataDir);
      return { bytes: bavail * bsize, share: blocks === 0 ? 1 : bavail / blocks };
    } catch (error) {
      this.logger.warn({ message: 'The free space of the data folder could not be read.', error });
      return null;
    }
  }
}

/** Reasons of refunds that are no choice of the fan and no refusal of the prompt. */
const FAULTS = sql`('api_failure', 'generation_failed', 'timeout', 'server_error')`;
