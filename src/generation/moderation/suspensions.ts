import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { DAY_MS } from '../../contract/durations.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type GenerationSuspensionTable, type GenerationTables } from '../tables.js';

export type SuspensionRow = Selectable<GenerationSuspensionTable>;

/** Condition: this user is suspended at an instant. */
export function isSuspended(userId: string, at: Date): RawBuilder<boolean> {
  return sql<boolean>`exists (select from generation_suspension suspended
    where suspended.user_id = ${userId} and (suspended.until is null or suspended.until > ${at}::timestamptz))`;
}

/** Users who may start no images, for days or until an admin ends it. A suspension ends by its time. */
@Injectable()
export class Suspensions {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly clock: Clock,
  ) {}

  /** The suspension that is in force; undefined without one. */
  async find(userId: string): Promise<SuspensionRow | undefined> {
    return this.db
      .selectFrom('generation_suspension')
      .selectAll()
      .where('user_id', '=', userId)
      .where((row) => row.or([row('until', 'is', null), row('until', '>', this.clock.now())]))
      .executeTakeFirst();
  }

  /** Suspends a user. With one in force, the later end counts, and the suspension keeps its cause. */
  async suspend(
    transaction: Transaction<GenerationTables>,
    suspension: {
      readonly userId: string;
      /** Null: until an admin ends it. */
      readonly days: number | null;
      readonly reason: string;
      /** The decision whose strike causes it. */
      readonly strikeActId?: string | null;
    },
  ): Promise<SuspensionRow> {
    const { userId, days, reason, strikeActId = null } = suspension;
    const since = this.clock.now();
    const until = days === null ? null : new Date(since.getTime() + days * DAY_MS);
    const { rows } = await sql<SuspensionRow>`
      insert into generation_suspension as present (user_id, since, until, reason, strike_act_id)
      values (${userId}, ${since}::timestamptz, ${until}::timestamptz, ${reason}, ${strikeActId}::uuid)
      on conflict (user_id) do update set
        since = case when present.until <= excluded.since then excluded.since else present.since end,
        until = case when present.until is not null then nullif(greatest(present.until,
          coalesce(excluded.until, 'infinity')), 'infinity') end,
        reason = excluded.reason,
        strike_act_id = case when present.until <= excluded.since then excluded.strike_act_id
          else present.strike_act_id end
      returning *`.execute(transaction);
    const [row] = rows;
    if (!row) throw new Error('The suspension was not stored.');
    return row;
  }

  /** Ends the suspension of a user. False without one in force. */
  async lift(transaction: Transaction<GenerationTables>, userId: string): Promise<boolean> {
    const lifted = await transaction
      .deleteFrom('generation_suspension')
      .where('user_id', '=', userId)
      .where((row) => row.or([row('until', 'is', null), row('until', '>', this.clock.now())]))
      .returning('user_id')
      .executeTakeFirst();
    return lifted !== undefined;
  }
}
