import { Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { suspendedError } from '../../identity/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { type AspectRatio } from '../../contract/aspect-ratios.js';
import { TESTS_PER_DAY } from '../../contract/limits.js';
import { accountIsClosing } from '../closed-owners.js';
import { START_LEASE_MS } from '../limits.js';
import { MESSAGES } from '../messages.js';
import { promptHash } from '../moderation/prompt-hash.js';
import { isSuspended } from '../moderation/suspensions.js';
import { type GenerationRow, type GenerationTables } from '../tables.js';
import { nextUtcDay, utcDay } from '../trials/test-allowance.js';
import { after, GenerationRows } from './generation-rows.js';

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

/** The first writes of a row: starts of generations and tests, and starts that are given up. */
@Injectable()
export class StartRows extends GenerationRows {
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
}
