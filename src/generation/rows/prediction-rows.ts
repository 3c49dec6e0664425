import { Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { type CreditTypeUsed } from '../../credits/index.js';
import { type ImageInfo } from '../../contract/media.js';
import { classifyFault } from '../predictions/fault-classes.js';
import { type Failure } from '../predictions/judge-prediction.js';
import { FINISH_LEASE_MS } from '../limits.js';
import { pollDelay, retryDelay } from '../steps/next-step.js';
import { type GenerationRow, type GenerationTables } from '../tables.js';
import { countsTowardsDay } from '../trials/test-allowance.js';
import { after, type Changes, GenerationRows } from './generation-rows.js';

/** The salted hashes of a stored image and its prompt. */
export type HashColumns = Readonly<Record<'salt' | 'image_hash' | 'prompt_hash', string>>;

/** From the prediction to the end: what the provider reports, the copy of its output, failures and retries. */
@Injectable()
export class PredictionRows extends GenerationRows {
  /**
   * Stores the prediction id, once. If the generation has ended meanwhile, the prediction becomes due for cancelling.
   * Undefined when the row already has a prediction.
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

  /** Records that the provider is working, and schedules the next poll. */
  async recordProgress(
    db: Kysely<GenerationTables>,
    row: GenerationRow,
    predictionId: string,
    drawingAt: Date | null,
  ): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    const isNews = row.prediction_id === null || (row.drawing_at === null && drawingAt !== null);
    return this.updatePending(db, row.id, predictionId, {
      drawing_at: sql<Date | null>`coalesce(drawing_at, ${drawingAt}::timestamptz)`,
      ...(isNews ? { updated_at: now } : {}),
      not_before: after(now, pollDelay(now.getTime() - row.created_at.getTime())),
      lease_holder: null,
      attempts: 0,
    }).executeTakeFirst();
  }

  /** Records that the provider is done. A worker claims the output and copies it. */
  async recordOutput(
    db: Kysely<GenerationTables>,
    row: GenerationRow,
    predictionId: string,
    outputUrl: string,
    drawingAt: Date | null,
  ): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    return this.updatePending(db, row.id, predictionId, {
      output_url: outputUrl,
      drawing_at: sql<Date | null>`coalesce(drawing_at, ${drawingAt}::timestamptz)`,
      finishing_at: now,
      updated_at: now,
      not_before: now,
      lease_holder: null,
      attempts: 0,
    }).executeTakeFirst();
  }

  /** Ends the generation because the provider failed. */
  async recordFailure(
    db: Kysely<GenerationTables>,
    row: GenerationRow,
    predictionId: string,
    failure: Failure,
  ): Promise<GenerationRow | undefined> {
    const failed = this.updatePending(db, row.id, predictionId, this.failed(failure, sql<boolean>`false`));
    if (classifyFault(failure.message) !== 'nsfw') return failed.executeTakeFirst();
    // A refusal by the provider's own check is also a case for the admins.
    return db
      .with('failed', () => failed)
      .with('opened', (cte) =>
        cte
          .insertInto('moderation_case')
          .columns(['kind', 'id', 'generation_id', 'creator_id', 'maker_id', 'reason', 'rank', 'opened_at'])
          .expression(sql`select 'refusal', id, id, creator_id, user_id, 'sexual', 2, updated_at from failed`),
      )
      .selectFrom('failed')
      .selectAll()
      .executeTakeFirst();
  }

  /** Notes that the provider refused because of our account. */
  async noteRefusal(status: number): Promise<void> {
    const refused_at = this.clock.now();
    await this.db
      .insertInto('generation_provider_refusal')
      .values({ status, refused_at })
      .onConflict((conflict) => conflict.column('status').doUpdateSet({ refused_at }))
      .execute();
  }

  /** Takes the lease for copying the image. Undefined when another worker holds it, or the generation has ended. */
  async claim(id: string, holder: string): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    return this.update(id, { lease_holder: holder, not_before: after(now, FINISH_LEASE_MS) })
      .where('status', '=', 'pending')
      .where('output_url', 'is not', null)
      .where('not_before', '<=', now)
      .executeTakeFirst();
  }

  /** Extends a claim. False when the claim was lost. */
  async renew(id: string, holder: string): Promise<boolean> {
    const changed = await this.update(id, { not_before: after(this.clock.now(), FINISH_LEASE_MS) })
      .where('status', '=', 'pending')
      .where('lease_holder', '=', holder)
      .executeTakeFirst();
    return changed !== undefined;
  }

  /** Ends the generation with its stored image. Undefined when it has ended already, or the claim was lost. */
  async complete(
    id: string,
    holder: string,
    { image, ...hashes }: { readonly image: ImageInfo } & HashColumns,
  ): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    return this.update(id, {
      status: 'completed',
      image: JSON.stringify(image),
      ...hashes,
      completed_at: now,
      credits_closed_at: closedIfTest(now),
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
   * Ends the generation without an image. Undefined when it has ended already.
   * @param onlyIf `revision`: the row is unchanged since it was read; `holder`: the caller still holds the lease
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

  /** Records that the prediction needs no cancelling any more. */
  async closeProvider(id: string): Promise<void> {
    await this.update(id, { provider_cancel_due: false, attempts: 0 }).execute();
  }

  /** Schedules the retry of a failed step with exponential back-off, unless the row has changed since it was read. */
  async postpone(row: Pick<GenerationRow, 'id' | 'revision' | 'attempts'>): Promise<void> {
    await this.update(row.id, this.retryLater(row.attempts)).where('revision', '=', row.revision).execute();
  }

  /** Like `postpone`, for work under a claim. Gives up the claim. */
  async release(row: Pick<GenerationRow, 'id' | 'attempts'>, holder: string): Promise<void> {
    await this.update(row.id, this.retryLater(row.attempts))
      .where('status', '=', 'pending')
      .where('lease_holder', '=', holder)
      .execute();
  }

  /** Schedules the next poll of the provider. */
  async pollLater(row: Pick<GenerationRow, 'id' | 'revision' | 'created_at'>): Promise<void> {
    const now = this.clock.now();
    await this.update(row.id, { not_before: after(now, pollDelay(now.getTime() - row.created_at.getTime())) })
      .where('revision', '=', row.revision)
      .execute();
  }

  private retryLater(attempts: number): Changes {
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
      credits_closed_at: closedIfTest(now),
      ...(countsTowardsDay(failure) ? {} : { test_slot: null }),
      provider_cancel_due: providerCancelDue,
      updated_at: now,
      not_before: now,
      lease_holder: null,
      attempts: 0,
    };
  }

  /** A change that the provider reports. Allowed while pending, for this prediction, before there is an output. */
  private updatePending(db: Kysely<GenerationTables>, id: string, predictionId: string, changes: Changes) {
    return db
      .updateTable('generation')
      .set({ ...changes, prediction_id: predictionId })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('output_url', 'is', null)
      .where((where) => where.or([where('prediction_id', 'is', null), where('prediction_id', '=', predictionId)]))
      .returningAll();
  }
}

/** A test moves no credits: there is nothing to settle or refund after its end. */
function closedIfTest(now: Date) {
  return sql<Date | null>`case when is_test then ${now}::timestamptz end`;
}
