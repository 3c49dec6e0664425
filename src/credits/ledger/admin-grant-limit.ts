import { Inject, Injectable } from '@nestjs/common';
import { type Pool } from 'pg';
import { PG_POOL } from '../../platform/database/database.js';
import { AdminGrantLimitError, GrantRefusedError } from '../account/errors.js';
import { accountTime, utcDay } from '../account/state.js';
import { PolicyStore } from '../policy/policy-store.js';
import { type Decide } from './pending-command.js';

/** Maximum number of attempts of a change that midnight interrupts. */
const MAX_ATTEMPTS = 3;

/** A grant or adjustment that an admin asks for. */
export interface AskedGrant {
  readonly adminId: string;
  /** UTC day (YYYY-MM-DD) of the event. */
  readonly day: string;
  readonly userId: string;
  /** The grant's id, or `adjust:` and the adjustment's id. */
  readonly grantId: string;
  /** Credits. */
  readonly amount: number;
}

/** PostgreSQL: unique_violation */
const UNIQUE_VIOLATION = '23505';

/** The change would be written on another UTC day than the one on which it was counted. */
class DayChangedError extends Error {
  constructor(readonly day: string) {
    super('The day has changed.');
  }
}

/** The decision, refused when its events would fall on another UTC day. @param day null for any */
export function onDay(day: string | null, decide: Decide): Decide {
  return (account, now) => {
    const events = decide(account, now);
    const today = utcDay(accountTime(account, now));
    if (events.length > 0 && day !== null && today !== day) throw new DayChangedError(today);
    return events;
  };
}

/** Counts a grant if it fits into the limit. One statement: the row of the day is locked while it is compared. */
const COUNT = `
  with known as (
    select amount from admin_grant where admin_id = $1 and day = $2 and user_id = $3 and grant_id = $4
  ), counted as (
    insert into admin_grant_day as d (admin_id, day, credits)
    select $1, $2, $5::bigint where not exists (select from known) and $5::bigint <= $6::bigint
    on conflict (admin_id, day) do update set credits = d.credits + excluded.credits
    where d.credits + excluded.credits <= $6::bigint
    returning d.credits
  ), added as (
    insert into admin_grant (admin_id, day, user_id, grant_id, amount) select $1, $2, $3, $4, $5::bigint from counted
  )
  select (select amount from known)::float8 as known, exists (select from counted) as counted,
    coalesce((select credits from admin_grant_day where admin_id = $1 and day = $2), 0)::float8 as before`;

/**
 * The credits that one admin may grant and take a UTC day. A change is counted before it is written, and stays counted
 * when the ledger does not answer: the same change is then counted once.
 */
@Injectable()
export class AdminGrantLimit {
  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly policy: PolicyStore,
  ) {}

  /**
   * Counts a change and makes it on the same day. When midnight comes between the two, it is counted on the new day.
   * @param change writes {@link onDay}
   * @throws the errors of {@link count} and of `change`
   */
  async counted<T>(asked: AskedGrant, change: (day: string) => Promise<T>): Promise<T> {
    let { day } = asked;
    for (let attempt = 1; ; attempt += 1) {
      await this.count({ ...asked, day });
      try {
        return await change(day);
      } catch (error) {
        if (!(error instanceof DayChangedError) || attempt === MAX_ATTEMPTS) throw error;
        ({ day } = error);
      }
    }
  }

  /**
   * Counts a grant, once for its id.
   * @throws AdminGrantLimitError when the grants of the day would exceed the limit
   * @throws GrantRefusedError when the same grant was asked for with another amount
   */
  async count(asked: AskedGrant): Promise<void> {
    const { adminGrantLimitCredits: limit } = await this.policy.inForce();
    let row = await this.tryCount(asked, limit).catch((error: unknown) => {
      if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return null;
      throw error;
    });
    // The same request at the same time may have counted it: the second look sees that.
    if (row === null || (!row.counted && row.known === null)) row = await this.tryCount(asked, limit);
    if (row.counted || row.known === asked.amount) return;
    if (row.known === null) throw new AdminGrantLimitError(limit, row.before, asked.amount);
    throw new GrantRefusedError(asked.grantId, `Grant ${asked.grantId} was made with another amount or reason.`);
  }

  private async tryCount(
    { adminId, day, userId, grantId, amount }: AskedGrant,
    limit: number,
  ): Promise<{ readonly known: number | null; readonly counted: boolean; readonly before: number }> {
    const { rows } = await this.pool.query<{ known: number | null; counted: boolean; before: number }>(COUNT, [
      ...[adminId, day, userId, grantId, amount, limit],
    ]);
    const [row] = rows;
    if (!row) throw new Error('The count of a grant returned no row.');
    return row;
  }
}
