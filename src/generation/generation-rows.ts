import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql, type UpdateObject } from 'kysely';
import { type CreditTypeUsed } from '../credits/index.js';
import { suspendedError } from '../identity/index.js';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { DomainError } from '../platform/domain-error.js';
import { type DueCondition } from '../platform/due-work.js';
import { FaultPoints } from '../platform/fault-points.js';
import { type AspectRatio } from '../contract/aspect-ratios.js';
import { TESTS_PER_DAY } from '../contract/limits.js';
import { type ImageInfo } from '../contract/media.js';
import { accountIsClosing } from './closed-owners.js';
import { type GenerationStep } from './generation-steps.js';
import { type Failure } from './predictions/judge-prediction.js';
import { FINISH_LEASE_MS, START_LEASE_MS } from './limits.js';
import { MESSAGES, PROVIDER_VERDICT } from './messages.js';
import { promptHash } from './moderation/prompt-hash.js';
import { isSuspended } from './moderation/suspensions.js';
import { pollDelay, retryDelay } from './next-step.js';
import { type GenerationRow, type GenerationTables } from './tables.js';
import { countsTowardsDay, nextUtcDay, utcDay } from './trials/test-allowance.js';

export interface NewGeneration {
  readonly id: string;
  readonly userId: string;
  readonly creatorId: string;
  readonly prompt: string;
  readonly aspectRatio: AspectRatio;
  readonly model: string;
  readonly cost: number;
  readonly holder: string;
  /** A UUID that the caller chose; null for none. */
  readonly requestId: string | null;
  /** A test prediction has its id from the start; null for all others. */
  readonly predictionId: string | null;
}

/** A test is a square. */
export type NewTest = Omit<NewGeneration, 'aspectRatio' | 'cost' | 'predictionId' | 'requestId'>;

/** The salted hashes of a stored image and its prompt. */
export type HashColumns = Readonly<Record<'salt' | 'image_hash' | 'prompt_hash', string>>;

/** Names a generation by its own id or by the id of its prediction. */
export type GenerationTarget = { readonly generationId: string } | { readonly predictionId: string };

/** The user already has a pending generation, or a pending test when the new one is a test. */
export class AlreadyPendingError extends Error {
  override readonly name = 'AlreadyPendingError';
}

/** A request with the same id of the same user has started this generation. */
export class StartedBeforeError extends Error {
  override readonly name = 'StartedBeforeError';

  constructor(readonly row: Pick<GenerationRow, 'id' | 'prediction_id' | 'status' | 'aspect_ratio'>) {
    super('The generation was started before.');
  }
}

/** Reasons, other than another image, why a start was not stored. */
interface StartObstacles {
  readonly closed: boolean;
  readonly suspended: boolean;
  /** End of the last suspension; null without an end. */
  readonly until: Date | null;
  readonly blocked: boolean;
}

function startObstacles({ userId, creatorId, prompt }: NewTest) {
  return sql`exists (select from generation_closed_owner where user_id = ${userId}) as closed,
    exists (select from generation_suspension where user_id = ${userId}) as suspended,
    (select until from generation_suspension where user_id = ${userId}) as until,
    exists (select from generation_blocked_prompt
      where creator_id = ${creatorId} and prompt_hash = ${promptHash(prompt)}) as blocked`;
}

/** @throws DomainError when one of them stopped the start */
function refuseStart(found: StartObstacles | undefined, now: Date): void {
  if (found?.closed) throw accountIsClosing();
  if (found?.suspended && (found.until === null || found.until > now)) throw suspendedError(found.until);
  if (found?.blocked) throw new DomainError('unprocessable', MESSAGES.promptBlocked, { code: '22023' });
}

/** Since when only the owner and admins see a completed image. Must equal the expression of the index. */
const PRIVATE_SINCE = sql<Date | null>`least(hidden_at, taken_down_at, withheld_at, moderated_at)`;

/** Rows with work left. Must equal the predicate of the partial index. */
const OPEN = sql<boolean>`(status = 'pending' or credits_closed_at is null or provider_cancel_due)`;

/** Whether {@link GenerationRows.due} finds a row. */
export const generationIsDue: DueCondition = (now) =>
  sql<boolean>`exists (select from generation where not_before <= ${now} and ${OPEN})`;

type Changes = UpdateObject<GenerationTables, 'generation'>;

/**
 * Every write of a generation's row, and the reads by key that commands start with. Each write is one statement whose
 * `where` names the states that allow it, so that exactly one of two competing writers ends a generation. It is one
 * class because commands, workers and the webhook share these transitions.
 */
@Injectable()
export class GenerationRows {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly clock: Clock,
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

  /**
   * Inserts the pending row, unless the account is closed or suspended, or an admin has blocked the prompt for the
   * creator. The starting request holds its lease.
   * @throws StartedBeforeError for a repeated request, AlreadyPendingError when the user has another pending one
   * @throws DomainError conflict for a closed account, forbidden for a suspended one, unprocessable for a blocked
   *   prompt
   */
  async insert(generation: NewGeneration): Promise<void> {
    const now = this.clock.now();
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('generation')
      .columns([
        ...([
          'id',
          'user_id',
          'creator_id',
          'prompt',
          'aspect_ratio',
          'status',
          'model',
          'cost',
          'prediction_id',
          'not_before',
        ] as const),
        ...(['lease_holder', 'request_id', 'created_at', 'updated_at'] as const),
      ])
      .expression(
        sql`select ${generation.id}::uuid, ${generation.userId}::text, ${generation.creatorId}::text,
          ${generation.prompt}::text, ${generation.aspectRatio}::text, 'pending', ${generation.model}::text,
          ${generation.cost}::integer,
          ${generation.predictionId}::text, ${after(now, START_LEASE_MS)}::timestamptz, ${generation.holder}::text,
          ${generation.requestId}::uuid, ${now}::timestamptz, ${now}::timestamptz
          where ${this.mayStart(generation, now)}`,
      )
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows) return;
    await this.requireFirst(generation);
    if (await this.findPending(generation.userId)) throw new AlreadyPendingError();
    const { rows } = await sql<StartObstacles>`select ${startObstacles(generation)}`.execute(this.db);
    refuseStart(rows[0], now);
    // Without any of these, the pending one has ended between the statements.
    throw new AlreadyPendingError();
  }

  /** @throws StartedBeforeError */
  private async requireFirst({ userId, requestId }: NewGeneration): Promise<void> {
    if (requestId === null) return;
    const earlier = await this.db
      .selectFrom('generation')
      .select(['id', 'prediction_id', 'status', 'aspect_ratio'])
      .where('user_id', '=', userId)
      .where('request_id', '=', requestId)
      .executeTakeFirst();
    if (earlier) throw new StartedBeforeError(earlier);
  }

  /** Condition of a start: the account is neither closed nor suspended, and the prompt is not blocked. */
  private mayStart({ userId, creatorId, prompt }: NewTest, now: Date) {
    return sql<boolean>`not exists (select from generation_closed_owner where user_id = ${userId})
      and not ${isSuspended(userId, now)}
      and not exists (select from generation_blocked_prompt blocked
        where blocked.creator_id = ${creatorId} and blocked.prompt_hash = ${promptHash(prompt)})`;
  }

  /**
   * Inserts the pending row of a free test in a slot of its day. Unique indexes decide between parallel starts.
   * @returns the tests that are left on this UTC day
   * @throws AlreadyPendingError
   * @param usedUp the text of the refusal when the tests of the day are used up
   * @throws DomainError tooManyRequests when the tests of the day are used up; otherwise as `insert`
   */
  async insertTest(
    test: NewTest,
    usedUp: string = MESSAGES.testsUsedUp(TESTS_PER_DAY),
    db: Kysely<GenerationTables> = this.db,
  ): Promise<number> {
    const now = this.clock.now();
    const day = utcDay(now);
    const used = sql<number>`(select count(*) from generation used
      where used.user_id = ${test.userId} and used.test_day = ${day}::date and used.test_slot is not null)`;
    const { rows } = await sql<{ used: number }>`
      insert into generation (id, user_id, creator_id, prompt, status, model, cost, not_before, lease_holder, created_at,
        updated_at, is_test, test_day, test_slot)
      select ${test.id}::uuid, ${test.userId}::text, ${test.creatorId}::text, ${test.prompt}::text, 'pending',
        ${test.model}::text, 0, ${after(now, START_LEASE_MS)}::timestamptz, ${test.holder}::text, ${now}::timestamptz,
        ${now}::timestamptz, true, ${day}::date, slot
      from generate_series(1, ${TESTS_PER_DAY}) as slot
      where ${this.mayStart(test, now)}
        and not exists (select from generation taken
          where taken.user_id = ${test.userId} and taken.test_day = ${day}::date and taken.test_slot = slot)
      order by slot limit 1
      on conflict do nothing
      returning ${used} as used`.execute(db);
    const [inserted] = rows;
    // The count does not include the new row.
    if (inserted) return TESTS_PER_DAY - inserted.used - 1;
    const { rows: found } = await sql<StartObstacles & { pending: boolean; used: number }>`
      select ${startObstacles(test)}, exists (select from generation where user_id = ${test.userId} and status = 'pending' and is_test) as pending,
        ${used} as used`.execute(db);
    const [state] = found;
    refuseStart(state, now);
    if (state && !state.pending && state.used >= TESTS_PER_DAY) {
      const retryAfterSeconds = Math.ceil((nextUtcDay(now).getTime() - now.getTime()) / 1000);
      throw new DomainError('tooManyRequests', usedUp, { retryAfterSeconds });
    }
    // Without any of these, the pending one has ended between the statements.
    throw new AlreadyPendingError();
  }

  /** Deletes the row of a start that deducted no credits and made no prediction. */
  async drop(id: string, holder: string): Promise<void> {
    await this.db
      .deleteFrom('generation')
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('lease_holder', '=', holder)
      .execute();
  }

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
    if (!isProviderVerdict(failure)) return failed.executeTakeFirst();
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

  /** Records that the deduction was settled. */
  async closeSettled(id: string): Promise<void> {
    await this.update(id, { credits_closed_at: this.clock.now(), attempts: 0 })
      .where('status', '=', 'completed')
      .where('credits_closed_at', 'is', null)
      .execute();
  }

  /** Records that the deduction was refunded, or voided when `amount` is 0. */
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

  /** Shows a hidden generation of this user again. Undefined when there is none, and while others hide it. */
  async show(id: string, userId: string): Promise<GenerationRow | undefined> {
    // Viewers receive the addresses again, so the next `hide` must move the files to new ones.
    return this.ofOwner(id, userId, { hidden_at: null, media_moved_at: null })
      .where('taken_down_at', 'is', null)
      .where('moderated_at', 'is', null)
      .executeTakeFirst();
  }

  /**
   * Hides a completed generation of this user. Undefined when there is none. Schedules the copies of its files in this
   * folder for deletion at `removeAt`, unless the files have moved already.
   */
  async hide(
    id: string,
    userId: string,
    copies: { readonly folder: string; readonly removeAt: Date },
  ): Promise<GenerationRow | undefined> {
    const hidden_at = sql<Date>`coalesce(hidden_at, ${this.clock.now()})`;
    return this.db
      .with('hidden', () => this.ofOwner(id, userId, { hidden_at }))
      .with('scheduled', (db) =>
        db
          .insertInto('generation_media_removal')
          .columns(['name', 'remove_at'])
          .expression((row) =>
            row
              .selectFrom('hidden')
              .where('media_moved_at', 'is', null)
              .select([
                sql<string>`${copies.folder} || '/' || split_part(jsonb_array_elements(image -> 'sources') ->> 'url', '/', 4)`.as(
                  'name',
                ),
                sql<Date>`${copies.removeAt}::timestamptz`.as('remove_at'),
              ]),
          ),
      )
      .selectFrom('hidden')
      .selectAll()
      .executeTakeFirst();
  }

  private ofOwner(id: string, userId: string, changes: Changes) {
    return this.update(id, { ...changes, updated_at: this.clock.now() })
      .where('user_id', '=', userId)
      .where('status', '=', 'completed')
      .where('is_test', '=', false)
      .where('deleted_at', 'is', null);
  }

  /**
   * Images that are hidden, taken down, withheld or moderated, whose files still have the addresses that others may
   * know; those first that wait for the longest time.
   */
  async withMediaToMove(limit: number): Promise<GenerationRow[]> {
    return (
      this.db
        .selectFrom('generation')
        .selectAll()
        // Must equal the predicate of the partial index.
        .where(sql<boolean>`${PRIVATE_SINCE} is not null and media_moved_at is null and deleted_at is null`)
        .orderBy(PRIVATE_SINCE)
        .limit(limit)
        .execute()
    );
  }

  /** Schedules the deletion of files. A file that is scheduled already keeps its instant. */
  async scheduleRemoval(names: readonly string[], removeAt: Date): Promise<void> {
    await this.db
      .insertInto('generation_media_removal')
      .values(names.map((name) => ({ name, remove_at: removeAt })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /**
   * Stores the copied files in a hidden image, and schedules the originals for deletion. Undefined when the image was
   * shown, deleted or moved meanwhile, or when a copy was deleted. The copies then stay scheduled for deletion.
   */
  async moveMedia(
    row: Pick<GenerationRow, 'id' | 'image'>,
    image: ImageInfo,
    files: readonly { readonly from: string; readonly to: string }[],
  ): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    const copies = files.map(({ to }) => to);
    return this.db
      .with('moved', (db) =>
        db
          .updateTable('generation')
          .set({ image: JSON.stringify(image), media_moved_at: now, updated_at: now })
          .where('id', '=', row.id)
          .where(PRIVATE_SINCE, 'is not', null)
          .where('media_moved_at', 'is', null)
          .where('deleted_at', 'is', null)
          .where(sql<string>`image ->> 'url'`, '=', row.image?.url ?? '')
          .where(
            (row) =>
              row
                .selectFrom('generation_media_removal')
                .select((copy) => copy.fn.countAll<number>().as('copies'))
                .where('name', '=', anyOf(copies)),
            '=',
            files.length,
          )
          .returningAll(),
      )
      .with('kept', (db) =>
        db
          .deleteFrom('generation_media_removal')
          .where('name', '=', anyOf(copies))
          .where((row) => row.exists(row.selectFrom('moved').select('id'))),
      )
      .with('replaced', (db) =>
        db
          .insertInto('generation_media_removal')
          .columns(['name', 'remove_at'])
          .expression((row) =>
            row
              .selectFrom('moved')
              .select([
                sql<string>`unnest(${files.map(({ from }) => from)}::text[])`.as('name'),
                sql<Date>`${now}::timestamptz`.as('remove_at'),
              ]),
          )
          .onConflict((conflict) => conflict.doNothing()),
      )
      .selectFrom('moved')
      .selectAll()
      .executeTakeFirst();
  }

  /** Files to delete now, the longest due first. */
  async dueRemovals(limit: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom('generation_media_removal')
      .select('name')
      .where('remove_at', '<=', this.clock.now())
      .orderBy('remove_at')
      .limit(limit)
      .execute();
    return rows.map(({ name }) => name);
  }

  /** Records that files were deleted. */
  async clearRemovals(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.db.deleteFrom('generation_media_removal').where('name', '=', anyOf(names)).execute();
  }

  /**
   * Marks an ended generation as deleted and erases its prompt. The credits are not affected. The addresses of the
   * files stay until the files are deleted. A prompt that the provider's own check refused stays readable for admins.
   * @param owner null for admins, who may delete the generations of all users
   */
  async remove(id: string, owner: string | null): Promise<GenerationRow | undefined> {
    return this.removing(id, owner).executeTakeFirst();
  }

  /** The update of `remove`, for use inside another statement. */
  removing(id: string, owner: string | null) {
    const now = this.clock.now();
    let update = this.update(id, {
      deleted_at: now,
      updated_at: now,
      prompt: sql<string>`case when refund_reason = 'fatal_error' then prompt else '' end`,
      salt: null,
      output_url: null,
      test_note: null,
    })
      .where('status', '<>', 'pending')
      .where('deleted_at', 'is', null);
    // The owner cannot remove what an admin has taken down: the decision may be undone for a day.
    if (owner !== null) {
      update = update.where('user_id', '=', owner).where(sql<boolean>`moderation is distinct from 'taken_down'`);
    }
    return update;
  }

  /**
   * Deletes images that were taken down at this instant or before, as `remove` does. Their files are deleted by the
   * next sweep of `DeletedMedia`.
   * @returns the number of images
   */
  async removeTakenDown(takenDownUntil: Date, limit: number): Promise<number> {
    const now = this.clock.now();
    const { numUpdatedRows } = await this.db
      .updateTable('generation')
      .set({ deleted_at: now, updated_at: now, prompt: '', salt: null, output_url: null })
      .where('id', 'in', (select) =>
        select
          .selectFrom('generation')
          .select('id')
          // Must equal the predicate of the partial index.
          .where(sql<boolean>`moderation = 'taken_down' and deleted_at is null`)
          .where('moderated_at', '<=', takenDownUntil)
          .orderBy('moderated_at')
          .limit(limit)
          // A decision that is being undone holds the lock.
          .forUpdate()
          .skipLocked(),
      )
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }

  /** Records that the files of a deleted generation were deleted. */
  async clearImage(id: string): Promise<void> {
    await this.update(id, { image: null }).where('deleted_at', 'is not', null).execute();
  }

  /** Deleted generations that still have files, the oldest deletion first. */
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

  /** Ids of rows that have work left and no holder, the longest waiting first. */
  async due(limit: number): Promise<string[]> {
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

  private update(id: string, changes: Changes) {
    return this.db.updateTable('generation').set(changes).where('id', '=', id).returningAll();
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

/** True when the provider's own check refused the image (fan spec, section 4, rule 10). */
function isProviderVerdict({ reason, message }: Failure): boolean {
  return reason === 'fatal_error' && PROVIDER_VERDICT.test(message);
}

/** A test moves no credits: there is nothing to settle or refund after its end. */
function closedIfTest(now: Date) {
  return sql<Date | null>`case when is_test then ${now}::timestamptz end`;
}

const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);

/** Any element of a list, which may be empty. */
function anyOf(names: readonly string[]) {
  return sql<string>`any(${names}::text[])`;
}
