import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql, type UpdateObject } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type DueCondition } from '../../platform/due-work.js';
import { FaultPoints } from '../../platform/fault-points.js';
import { type GenerationStep } from '../steps/generation-steps.js';
import { type GenerationRow, type GenerationTables } from '../tables.js';

/** Names a generation by its own id or by the id of its prediction. */
export type GenerationTarget = { readonly generationId: string } | { readonly predictionId: string };

/** Rows with work left. Must equal the predicate of the partial index. */
const OPEN = sql<boolean>`(status = 'pending' or credits_closed_at is null or provider_cancel_due)`;

/** Whether {@link GenerationRows.dueIds} finds a row. */
export const generationIsDue: DueCondition = (now) =>
  sql<boolean>`exists (select from generation where not_before <= ${now} and ${OPEN})`;

export type Changes = UpdateObject<GenerationTables, 'generation'>;

/**
 * The reads by key that commands start with. The classes of this folder add the writes of a generation's row, a class
 * for each stage of its life, which commands, workers and the webhook share. Each write is one statement whose `where`
 * names the states that allow it, so that exactly one of two competing writers ends a generation.
 */
@Injectable()
export class GenerationRows {
  constructor(
    @Inject(DATABASE) protected readonly db: Kysely<GenerationTables>,
    protected readonly clock: Clock,
    private readonly faults: FaultPoints,
  ) {}

  /** Runs a step between two fault points; the crash tests stop the process there. */
  async step<T>(step: GenerationStep, work: () => Promise<T>): Promise<T> {
    this.faults.reach(`generation.${step}.before`);
    const result = await work();
    this.faults.reach(`generation.${step}.after`);
    return result;
  }

  async find(id: string): Promise<GenerationRow | undefined> {
    return this.db.selectFrom('generation').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async findByPrediction(predictionId: string): Promise<GenerationRow | undefined> {
    return this.db.selectFrom('generation').selectAll().where('prediction_id', '=', predictionId).executeTakeFirst();
  }

  /** The generation of this prediction, otherwise the one with this id. */
  async findByPredictionOr(predictionId: string, id: string): Promise<GenerationRow | undefined> {
    return this.db
      .selectFrom('generation')
      .selectAll()
      .where((row) => row.or([row('prediction_id', '=', predictionId), row('id', '=', id)]))
      .orderBy(sql`prediction_id is not distinct from ${predictionId}`, 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** The user's pending generation; tests do not count. There is at most one. */
  async findPending(userId: string): Promise<GenerationRow | undefined> {
    return this.db
      .selectFrom('generation')
      .selectAll()
      .where('user_id', '=', userId)
      .where('status', '=', 'pending')
      .where('is_test', '=', false)
      .executeTakeFirst();
  }

  /** Ids of rows that have work left and no holder, the longest waiting first. */
  async dueIds(limit: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom('generation')
      .select('id')
      .where('not_before', '<=', this.clock.now())
      .where(OPEN)
      .orderBy('not_before')
      .limit(limit)
      .execute();
    return rows.map((row) => row.id);
  }

  protected update(id: string, changes: Changes) {
    return this.db.updateTable('generation').set(changes).where('id', '=', id).returningAll();
  }
}

export const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);
