import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql, type UpdateObject } from 'kysely';
import { type CreditTypeUsed } from '../credits/index.js';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { FaultPoints } from '../platform/fault-points.js';
import { type ImageInfo } from '../contract/media.js';
import { type GenerationStep } from './generation-steps.js';
import { type Failure } from './judge-prediction.js';
import { FINISH_LEASE_MS, START_LEASE_MS } from './limits.js';
import { pollDelay, retryDelay } from './next-step.js';
import { type GenerationRow, type GenerationTables } from './tables.js';

export interface NewGeneration {
  readonly id: string;
  readonly userId: string;
  readonly creatorId: string;
  readonly prompt: string;
  readonly model: string;
  readonly cost: number;
  readonly holder: string;
  /** Of a test prediction, which is known before; null for all others. */
  readonly predictionId: string | null;
}

/** Names a generation by its own id or by the id of its prediction. */
export type GenerationTarget = { readonly generationId: string } | { readonly predictionId: string };

/** The user already has a pending generation. */
export class AlreadyPendingError extends Error {
  override readonly name = 'AlreadyPendingError';
}

type Changes = UpdateObject<GenerationTables, 'generation'>;

/**
 * Every change of a generation's row. Each is one statement that says in its `where` from which state it may happen, so
 * that of two who want to end a generation exactly one does.
 */
@Injectable()
export class GenerationRows {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly clock: Clock,
    private readonly faults: FaultPoints,
  ) {}

  /** Marks a step before and after, for the crash tests. */
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

  /** That of the prediction; when none is, the one of this id. */
  async findByPredictionOr(predictionId: string, id: string): Promise<GenerationRow | undefined> {
    return this.db
      .selectFrom('generation')
      .selectAll()
      .where((row) => row.or([row('prediction_id', '=', predictionId), row('id', '=', id)]))
      .orderBy(sql`prediction_id is not distinct from ${predictionId}`, 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** The user's pending one; there is one at most. */
  async findPending(userId: string): Promise<GenerationRow | undefined> {
    return this.db
      .selectFrom('generation')
      .selectAll()
      .where('user_id', '=', userId)
      .where('status', '=', 'pending')
      .executeTakeFirst();
  }

  /**
   * Puts the row down as pending, held by the starting request.
   * @throws AlreadyPendingError
   */
  async insert(generation: NewGeneration): Promise<void> {
    const now = this.clock.now();
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('generation')
      .values({
        id: generation.id,
        user_id: generation.userId,
        creator_id: generation.creatorId,
        prompt: generation.prompt,
        status: 'pending',
        model: generation.model,
        cost: generation.cost,
        prediction_id: generation.predictionId,
        not_before: after(now, START_LEASE_MS),
        lease_holder: generation.holder,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.column('user_id').where('status', '=', 'pending').doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) throw new AlreadyPendingError();
  }

  /** Takes the row away again: no credits were taken, nothing was asked of the provider. */
  async drop(id: string, holder: string): Promise<void> {
    await this.db
      .deleteFrom('generation')
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('lease_holder', '=', holder)
      .execute();
  }

  /**
   * Writes down which prediction draws it, once. On a generation that has ended meanwhile this makes the prediction due
   * for cancelling. Undefined when the row knows its prediction already.
   */
  async storePrediction(
    id: string,
    predictionId: string,
    creditTypeUsed?: CreditTypeUsed,
  ): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    return this.update(id, {
      ...(creditTypeUsed === undefined ? {} : { credit_type_used: creditTypeUsed }),
      prediction_id: predictionId,
      updated_at: now,
      provider_cancel_due: sql<boolean>`status <> 'pending'`,
      not_before: sql<Date>`case when status = 'pending' then ${after(now, pollDelay(0))}::timestamptz else not_before end`,
      lease_holder: null,
      attempts: 0,
    })
      .where('prediction_id', 'is', null)
      .executeTakeFirst();
  }

  /** The provider works on it; asks again later unless a webhook comes first. */
  async recordProgress(
    db: Kysely<GenerationTables>,
    row: GenerationRow,
    predictionId: string,
    drawingAt: Date | null,
  ): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    const isNews = row.prediction_id === null || (row.drawing_at === null && drawingAt !== null);
    return this.updatePendingOf(db, row.id, predictionId, {
      drawing_at: sql<Date | null>`coalesce(drawing_at, ${drawingAt}::timestamptz)`,
      ...(isNews ? { updated_at: now } : {}),
      not_before: after(now, pollDelay(now.getTime() - row.created_at.getTime())),
      lease_holder: null,
      attempts: 0,
    });
  }

  /** The provider is done; the picture is there to be copied, by whoever claims it first. */
  async recordOutput(
    db: Kysely<GenerationTables>,
    row: GenerationRow,
    predictionId: string,
    outputUrl: string,
    drawingAt: Date | null,
  ): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    return this.updatePendingOf(db, row.id, predictionId, {
      output_url: outputUrl,
      drawing_at: sql<Date | null>`coalesce(drawing_at, ${drawingAt}::timestamptz)`,
      finishing_at: now,
      updated_at: now,
      not_before: now,
      lease_holder: null,
      attempts: 0,
    });
  }

  /** The provider failed it. */
  async recordFailure(
    db: Kysely<GenerationTables>,
    row: GenerationRow,
    predictionId: string,
    failure: Failure,
  ): Promise<GenerationRow | undefined> {
    return this.updatePendingOf(db, row.id, predictionId, this.failed(failure, sql<boolean>`false`));
  }

  /** The one that may copy the picture. Undefined when somebody else does, or it has ended. */
  async claim(id: string, holder: string): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    return this.update(id, { lease_holder: holder, not_before: after(now, FINISH_LEASE_MS) })
      .where('status', '=', 'pending')
      .where('output_url', 'is not', null)
      .where('not_before', '<=', now)
      .executeTakeFirst();
  }

  /** Keeps a claim while the work goes on; false when it was lost. */
  async renew(id: string, holder: string): Promise<boolean> {
    const changed = await this.update(id, { not_before: after(this.clock.now(), FINISH_LEASE_MS) })
      .where('status', '=', 'pending')
      .where('lease_holder', '=', holder)
      .executeTakeFirst();
    return changed !== undefined;
  }

  /** The picture is ours: the end of a successful generation. Undefined when it ended otherwise, or the claim was lost. */
  async complete(id: string, holder: string, image: ImageInfo): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    return this.update(id, {
      status: 'completed',
      image: JSON.stringify(image),
      completed_at: now,
      updated_at: now,
      not_before: now,
      lease_holder: null,
      attempts: 0,
    })
      .where('status', '=', 'pending')
      .where('lease_holder', '=', holder)
      .executeTakeFirst();
  }

  /**
   * The end of a generation without a picture. Undefined when it had ended already.
   * @param onlyIf `revision`: nothing has changed since it was read; `holder`: the caller still holds it
   */
  async fail(
    id: string,
    failure: Failure,
    onlyIf: { readonly revision?: number; readonly holder?: string } = {},
  ): Promise<GenerationRow | undefined> {
    let update = this.update(id, this.failed(failure, sql<boolean>`prediction_id is not null`)).where(
      'status',
      '=',
      'pending',
    );
    if (onlyIf.revision !== undefined) update = update.where('revision', '=', onlyIf.revision);
    if (onlyIf.holder !== undefined) update = update.where('lease_holder', '=', onlyIf.holder);
    return update.executeTakeFirst();
  }

  /** The deduction was settled. */
  async closeSettled(id: string): Promise<void> {
    await this.update(id, { credits_closed_at: this.clock.now(), attempts: 0 })
      .where('status', '=', 'completed')
      .where('credits_closed_at', 'is', null)
      .execute();
  }

  /** The deduction was refunded, or voided when `amount` is 0. */
  async closeRefunded(id: string, amount: number, creditType: CreditTypeUsed | null): Promise<void> {
    const now = this.clock.now();
    await this.update(id, {
      credits_closed_at: now,
      refunded: amount > 0,
      refund_amount: amount,
      refunded_at: amount > 0 ? now : null,
      updated_at: now,
      credit_type_used: sql<CreditTypeUsed | null>`coalesce(credit_type_used, ${creditType})`,
      not_before: now,
      attempts: 0,
    })
      .where('status', '=', 'failed')
      .where('credits_closed_at', 'is', null)
      .execute();
  }

  /** Nobody needs to cancel its prediction any more. */
  async closeProvider(id: string): Promise<void> {
    await this.update(id, { provider_cancel_due: false, attempts: 0 }).execute();
  }

  /** A step failed for now: tried again after a growing pause. Changes nothing when the row moved on since it was read. */
  async postpone(row: Pick<GenerationRow, 'id' | 'revision' | 'attempts'>): Promise<void> {
    await this.update(row.id, this.triedAgainLater(row.attempts)).where('revision', '=', row.revision).execute();
  }

  /** The same for work under a claim, which is given up. */
  async release(row: Pick<GenerationRow, 'id' | 'attempts'>, holder: string): Promise<void> {
    await this.update(row.id, this.triedAgainLater(row.attempts))
      .where('status', '=', 'pending')
      .where('lease_holder', '=', holder)
      .execute();
  }

  /** The provider has no news: ask again later. */
  async pollLater(row: Pick<GenerationRow, 'id' | 'revision' | 'created_at'>): Promise<void> {
    const now = this.clock.now();
    await this.update(row.id, { not_before: after(now, pollDelay(now.getTime() - row.created_at.getTime())) })
      .where('revision', '=', row.revision)
      .execute();
  }

  /** Shows a finished one to nobody but its owner, or to anyone with the link again. Undefined when it cannot be. */
  async hide(id: string, userId: string, hidden: boolean): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    return this.update(id, { hidden_at: hidden ? sql<Date>`coalesce(hidden_at, ${now})` : null, updated_at: now })
      .where('user_id', '=', userId)
      .where('status', '=', 'completed')
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
  }

  /**
   * Takes out what it showed; its credits go on as they would. The addresses of its files stay until those are deleted.
   * What the provider's own check refused stays readable for admins (`moderation/`).
   * @param owner only theirs; null for an admin, who may delete anybody's
   */
  async remove(id: string, owner: string | null): Promise<GenerationRow | undefined> {
    return this.removing(id, owner).executeTakeFirst();
  }

  /** The same, to be a part of another statement. */
  removing(id: string, owner: string | null) {
    const now = this.clock.now();
    let update = this.update(id, {
      deleted_at: now,
      updated_at: now,
      prompt: sql<string>`case when refund_reason = 'fatal_error' then prompt else '' end`,
      output_url: null,
    })
      .where('status', '<>', 'pending')
      .where('deleted_at', 'is', null);
    if (owner !== null) update = update.where('user_id', '=', owner);
    return update;
  }

  /** The files of a deleted one are gone. */
  async forgetImage(id: string): Promise<void> {
    await this.update(id, { image: null }).where('deleted_at', 'is not', null).execute();
  }

  /** Deleted ones whose files are still there, the longest deleted first. */
  async withDeletedMedia(limit: number): Promise<Pick<GenerationRow, 'id' | 'image'>[]> {
    return this.db
      .selectFrom('generation')
      .select(['id', 'image'])
      .where('deleted_at', 'is not', null)
      .where('image', 'is not', null)
      .orderBy('deleted_at')
      .limit(limit)
      .execute();
  }

  /** Ids of rows that are not at their end and that nobody holds, those that wait longest first. */
  async due(limit: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom('generation')
      .select('id')
      .where('not_before', '<=', this.clock.now())
      // Word for word the predicate of the partial index.
      .where(sql<boolean>`(status = 'pending' or credits_closed_at is null or provider_cancel_due)`)
      .orderBy('not_before')
      .limit(limit)
      .execute();
    return rows.map((row) => row.id);
  }

  private triedAgainLater(attempts: number): Changes {
    return {
      attempts: attempts + 1,
      not_before: after(this.clock.now(), retryDelay(attempts)),
      lease_holder: null,
    };
  }

  private failed(failure: Failure, providerCancelDue: ReturnType<typeof sql<boolean>>): Changes {
    const now = this.clock.now();
    return {
      status: 'failed',
      error_message: failure.message,
      refund_reason: failure.reason,
      provider_cancel_due: providerCancelDue,
      updated_at: now,
      not_before: now,
      lease_holder: null,
      attempts: 0,
    };
  }

  private update(id: string, changes: Changes) {
    return this.db.updateTable('generation').set(changes).where('id', '=', id).returningAll();
  }

  /** A change on the provider's word: only while pending, only for this prediction, only before the picture is there. */
  private async updatePendingOf(
    db: Kysely<GenerationTables>,
    id: string,
    predictionId: string,
    changes: Changes,
  ): Promise<GenerationRow | undefined> {
    return db
      .updateTable('generation')
      .set({ ...changes, prediction_id: predictionId })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('output_url', 'is', null)
      .where((where) => where.or([where('prediction_id', 'is', null), where('prediction_id', '=', predictionId)]))
      .returningAll()
      .executeTakeFirst();
  }
}

const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);
