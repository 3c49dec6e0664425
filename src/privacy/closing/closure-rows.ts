import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { type ClosingChoice, type ClosingStep } from '../../contract/closing.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type DueCondition } from '../../platform/due-work.js';
import { IdGenerator } from '../../platform/ids.js';
import { type ClosingTables, type ClosureRow, type StepProgress, type StepsProgress } from './tables.js';

/** Longer than a step takes; after a crash another worker continues when it ends. */
const LEASE_MS = 60_000;

/** Whether {@link ClosureRows.claimDue} finds a closure. */
export const closureIsDue: DueCondition = (now) =>
  sql<boolean>`exists (select from account_closure where finished_at is null and not_before <= ${now})`;

/** Reads and writes closures. */
@Injectable()
export class ClosureRows {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<ClosingTables>,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /**
   * Stores the closure of a user and a token for its receipt, in one statement. An existing closure stays as it is and
   * gets a further token.
   */
  async open(closure: {
    readonly userId: string;
    readonly choice: ClosingChoice;
    readonly tokenHash: string;
  }): Promise<ClosureRow> {
    const now = this.clock.now();
    return this.db
      .with('stored', (db) =>
        db
          .insertInto('account_closure')
          .values({
            id: this.ids.next(),
            user_id: closure.userId,
            requested_by: 'person',
            choice: closure.choice,
            requested_at: now,
            not_before: now,
          })
          // An update that changes nothing, so that the existing row is returned.
          .onConflict((conflict) =>
            conflict.column('user_id').doUpdateSet((row) => ({ user_id: row.ref('excluded.user_id') })),
          )
          .returningAll(),
      )
      .with('token', (db) =>
        db
          .insertInto('account_closure_token')
          .columns(['token_hash', 'closure_id', 'created_at'])
          .expression((select) =>
            select
              .selectFrom('stored')
              .select([
                sql<string>`${closure.tokenHash}::text`.as('token_hash'),
                'stored.id',
                sql<Date>`${now}::timestamptz`.as('created_at'),
              ]),
          ),
      )
      .selectFrom('stored')
      .selectAll()
      .executeTakeFirstOrThrow();
  }

  /** Stores the closures of users who were deleted at the identity provider. Existing ones stay as they are. */
  async openForDeleted(userIds: readonly string[]): Promise<void> {
    const now = this.clock.now();
    await this.db
      .insertInto('account_closure')
      .values(
        userIds.map((userId) => ({
          id: this.ids.next(),
          user_id: userId,
          requested_by: 'identity_provider' as const,
          choice: 'refund' as const,
          requested_at: now,
          not_before: now,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async findByUser(userId: string): Promise<ClosureRow | null> {
    const row = await this.db
      .selectFrom('account_closure')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row ?? null;
  }

  async findByToken(tokenHash: string): Promise<ClosureRow | null> {
    const row = await this.db
      .selectFrom('account_closure_token')
      .innerJoin('account_closure', 'account_closure.id', 'account_closure_token.closure_id')
      .selectAll('account_closure')
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Leases due closures, the longest waiting first. */
  async claimDue(limit: number): Promise<ClosureRow[]> {
    const now = this.clock.now();
    return this.db
      .updateTable('account_closure')
      .set({ not_before: new Date(now.getTime() + LEASE_MS) })
      .where('id', 'in', (select) =>
        select
          .selectFrom('account_closure')
          .select('id')
          .where('finished_at', 'is', null)
          .where('not_before', '<=', now)
          .orderBy('not_before')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .execute();
  }

  /**
   * Stores the progress of one step and extends the lease. Other steps keep theirs.
   * @param read the closure as it was before the step
   * @returns undefined when another worker has stored progress of this step meanwhile
   */
  async storeStep(
    read: Pick<ClosureRow, 'id' | 'steps'>,
    step: ClosingStep,
    progress: StepProgress,
  ): Promise<ClosureRow | undefined> {
    const before = read.steps[step];
    return this.db
      .updateTable('account_closure')
      .set({
        steps: sql<string>`steps || ${JSON.stringify({ [step]: progress })}::jsonb`,
        not_before: new Date(this.clock.now().getTime() + LEASE_MS),
      })
      .where('id', '=', read.id)
      .where(sql<boolean>`steps -> ${step}::text is not distinct from ${before ? JSON.stringify(before) : null}::jsonb`)
      .returningAll()
      .executeTakeFirst();
  }

  /** Ends a closure whose steps are still as they were read: another worker may have begun one again. */
  async finish({ id, steps }: Pick<ClosureRow, 'id' | 'steps'>): Promise<void> {
    const now = this.clock.now();
    await this.db
      .updateTable('account_closure')
      .set({ finished_at: now, checked_at: now })
      .where('id', '=', id)
      .where(sql<boolean>`steps = ${JSON.stringify(steps)}::jsonb`)
      .where('finished_at', 'is', null)
      .execute();
  }

  /** Ends the lease. The closure is due again at this instant. */
  async waitUntil(id: string, instant: Date): Promise<void> {
    await this.db
      .updateTable('account_closure')
      .set({ not_before: instant })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .execute();
  }

  /** Takes finished closures to search for leftovers, those first that were not checked for the longest time. */
  async takeForCheck(limit: number): Promise<ClosureRow[]> {
    return this.db
      .updateTable('account_closure')
      .set({ checked_at: this.clock.now() })
      .where('id', 'in', (select) =>
        select
          .selectFrom('account_closure')
          .select('id')
          .where('finished_at', 'is not', null)
          .orderBy('checked_at', (order) => order.asc().nullsFirst())
          .orderBy('id')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .execute();
  }

  /** Makes some steps of a finished closure run again. */
  async reopen(id: string, steps: StepsProgress): Promise<void> {
    await this.db
      .updateTable('account_closure')
      .set({
        steps: sql<string>`steps || ${JSON.stringify(steps)}::jsonb`,
        finished_at: null,
        not_before: this.clock.now(),
        reopened: sql<number>`reopened + 1`,
      })
      .where('id', '=', id)
      .where('finished_at', 'is not', null)
      .execute();
  }
}
