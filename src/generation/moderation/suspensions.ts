import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { DAY_MS } from '../../contract/durations.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type GenerationSuspensionTable, type GenerationTables } from '../tables.js';

/** A suspension whose causes are fewer. The ends are null for one without an end. */
export interface ChangedSuspension {
  readonly before: Date | null;
  readonly after: Date | null;
  /** No cause is left. */
  readonly lifted: boolean;
}

/** The causes of a stored suspension. A process of the version before stores none. */
const CAUSES = sql`case when present.causes <> '[]' then present.causes else jsonb_build_array(jsonb_build_object(
  'act_id', present.strike_act_id, 'since', present.since, 'until', present.until, 'reason', present.reason)) end`;

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

  /** Suspends a user. With one in force, the later end counts, and both are causes of the suspension. */
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
      insert into generation_suspension as present (user_id, since, until, reason, strike_act_id, causes)
      values (${userId}, ${since}::timestamptz, ${until}::timestamptz, ${reason}, ${strikeActId}::uuid,
        jsonb_build_array(jsonb_build_object('act_id', ${strikeActId}::uuid, 'since', ${since}::timestamptz,
          'until', ${until}::timestamptz, 'reason', ${reason}::text)))
      on conflict (user_id) do update set
        since = case when present.until <= excluded.since then excluded.since else present.since end,
        until = case when present.until is not null then nullif(greatest(present.until,
          coalesce(excluded.until, 'infinity')), 'infinity') end,
        reason = excluded.reason,
        strike_act_id = case when present.until <= excluded.since then excluded.strike_act_id
          else present.strike_act_id end,
        causes = case when present.until <= excluded.since then excluded.causes
          else ${CAUSES} || excluded.causes end
      returning *`.execute(transaction);
    const [row] = rows;
    if (!row) throw new Error('The suspension was not stored.');
    return row;
  }

  /**
   * Takes back what the strike of a decision has caused. The other causes that are in force still count.
   * @returns the change; undefined without one
   */
  async takeBack(
    transaction: Transaction<GenerationTables>,
    { userId, strikeActId }: { readonly userId: string; readonly strikeActId: string },
  ): Promise<ChangedSuspension | undefined> {
    const { rows } = await sql<ChangedSuspension>`
      with present as (
        select present.*, ${CAUSES} as known from generation_suspension present
        where user_id = ${userId} and ${CAUSES} @> jsonb_build_array(jsonb_build_object('act_id', ${strikeActId}::uuid))
        for update
      ),
      remaining as (
        select min((cause ->> 'since')::timestamptz) as since,
          nullif(max(coalesce((cause ->> 'until')::timestamptz, 'infinity')), 'infinity') as until,
          (array_agg(cause ->> 'reason' order by place desc))[1] as reason, jsonb_agg(cause order by place) as causes
        from present, jsonb_array_elements(present.known) with ordinality as listed (cause, place)
        where cause ->> 'act_id' is distinct from ${strikeActId}
          and (cause ->> 'until' is null or (cause ->> 'until')::timestamptz > ${this.clock.now()}::timestamptz)
        having count(*) > 0
      ),
      lifted as (
        delete from generation_suspension lifted using present
        where lifted.user_id = present.user_id and not exists (select from remaining)
      ),
      changed as (
        update generation_suspension changed set since = remaining.since, until = remaining.until,
          reason = remaining.reason, causes = remaining.causes,
          strike_act_id = nullif(present.strike_act_id, ${strikeActId}::uuid)
        from present, remaining where changed.user_id = present.user_id
      )
      select present.until as before, remaining.until as after, remaining.since is null as lifted
      from present left join remaining on true`.execute(transaction);
    return rows[0];
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
