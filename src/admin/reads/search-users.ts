import { QueryHandler } from '@nestjs/cqrs';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import { COUNTED_TO } from '../../contract/limits.js';
import { type AdminUser, type AdminUserRow, type UserFilter, type UserSort } from '../../contract/admin-users.js';
import { type CreditTables } from '../../credits/tables.js';
import { type GenerationTables } from '../../generation/tables.js';
import { type IdentityTables } from '../../identity/tables.js';
import { containing, hasTrigram } from '../../platform/database/like.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';

export type AdminTables = IdentityTables & CreditTables & GenerationTables;

/** A page of users. */
export class SearchUsers extends QueryOf<
  PageAt & {
    /** A part of the address or name, or a whole id; empty for all users. */
    readonly search: string;
    readonly filter: UserFilter | null;
    readonly sort: UserSort;
  },
  AdminUserRow[]
> {}

@QueryHandler(SearchUsers)
export class SearchUsersHandler extends ReadHandler<AdminTables, SearchUsers> {
  async execute({ input: { search, filter, sort: asked, limit, offset } }: SearchUsers): Promise<AdminUserRow[]> {
    const text = search.trim();
    const byId = text === '' ? null : await this.idOf(text);
    const now = this.clock.now();
    if (byId !== null) return offset > 0 ? [] : listed(await rowsOf(this.db, [byId], { now, total: 1 }));
    // Holders of paid credits are read by an index of balances, which has no other order.
    const sort = filter === 'paid' && asked === 'joined' ? 'paid' : asked;
    const { rows } = await sql<{ id: string; total: number }>`
      with found as materialized (${this.candidates(text, filter, sort, now)} limit ${COUNTED_TO})
      select id, (select count(*)::int from found) as total
      from found order by rank desc, id desc limit ${limit} offset ${offset}`.execute(this.db);
    const ids = rows.map(({ id }) => id);
    return listed(await rowsOf(this.db, ids, { now, total: rows[0]?.total ?? 0 }));
  }

  /** The user with this id, or the owner of the generation with this id. */
  private async idOf(text: string): Promise<string | null> {
    const { rows } = await sql<{ id: string }>`
      select id from app_user where id = ${text}
      union all
      select user_id from generation where id = ${isUuid(text) ? text : null}::uuid
      limit 1`.execute(this.db);
    return rows[0]?.id ?? null;
  }

  /** Users with their `rank`, in the order of an index. */
  private candidates(text: string, filter: UserFilter | null, sort: UserSort, now: Date): RawBuilder<unknown> {
    const pattern = containing(text);
    const named = text === '' ? sql`true` : sql`(app_user.email ilike ${pattern} or app_user.name ilike ${pattern})`;
    const users =
      text === '' || hasTrigram(text)
        ? sql`app_user`
        : sql`(select * from app_user order by created_at desc, id desc limit ${COUNTED_TO}) as app_user`;
    const where = sql`where app_user.deleted_at is null and ${named} ${filtered(filter, now)}`;
    if (sort === 'joined') {
      return sql`select app_user.id, app_user.created_at as rank from ${users} ${where}
        order by app_user.created_at desc, app_user.id desc`;
    }
    const column = sort === 'paid' ? sql.ref('balance.paid') : sql.ref('balance.lifetime_spent');
    // A limit per user keeps the planner from joining whole tables.
    if (text === '' && (filter === null || filter === 'paid')) {
      return sql`select app_user.id, ${column} as rank from credit_balance balance cross join lateral (
          select id from app_user where id = balance.user_id and deleted_at is null limit 1
        ) as app_user
        where true ${filtered(filter, now)} order by ${column} desc, balance.user_id desc`;
    }
    return sql`select app_user.id, ${column} as rank
      from credit_balance balance join ${users} on app_user.id = balance.user_id ${where}
      order by ${column} desc, balance.user_id desc`;
  }
}

function filtered(filter: UserFilter | null, now: Date): RawBuilder<unknown> {
  switch (filter) {
    case 'owes':
      return sql`and app_user.id in (select user_id from credit_balance where debt > 0)`;
    case 'suspended':
      return sql`and app_user.id in (select user_id from generation_suspension where until is null or until > ${now})`;
    case 'paid':
      return sql`and balance.paid > 0`;
    case null:
      return sql``;
  }
}

function listed(rows: readonly UserRow[]): AdminUserRow[] {
  return rows.map(({ suspension: _s, roles: _r, closed: _c, strikes: _k, events: _e, ...row }) => row);
}

/** A row with what only the page of a user shows. */
interface UserRow extends AdminUserRow {
  readonly suspension: AdminUser['suspension'];
  readonly roles: readonly string[];
  readonly closed: boolean;
  readonly strikes: number;
  readonly events: number;
}

/** The rows of these users, in this order. At most one statement. */
export async function rowsOf(
  db: Kysely<AdminTables>,
  ids: readonly string[],
  { now, total }: { readonly now: Date; readonly total: number },
): Promise<UserRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('app_user')
    .leftJoin('credit_balance', 'credit_balance.user_id', 'app_user.id')
    .leftJoin('generation_suspension', 'generation_suspension.user_id', 'app_user.id')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('credit_transaction')
          .select('credit_transaction.created_at as at')
          .whereRef('credit_transaction.user_id', '=', 'app_user.id')
          .orderBy('credit_transaction.version', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['app_user.id', 'app_user.name', 'app_user.email', 'app_user.created_at'])
    .select(['daily', 'daily_expires_at', 'bonus', 'paid', 'debt', 'lifetime_spent', 'last.at as last_seen'])
    .select(['generation_suspension.since as suspended_since', 'generation_suspension.until as suspended_until'])
    .select(['generation_suspension.reason as suspended_for', 'roles', 'deleted_at', 'credit_balance.version'])
    .select(
      sql<number>`(select count(*)::int from generation_strike strike where strike.user_id = app_user.id)`.as(
        'strikes',
      ),
    )
    .select(
      sql<number>`(select count(*)::int from (
        select from generation where generation.user_id = app_user.id and not is_test limit ${COUNTED_TO}) as drawn)`.as(
        'images',
      ),
    )
    .where('app_user.id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = known.get(id);
    if (!row) return [];
    const lapsed = row.daily_expires_at !== null && row.daily_expires_at <= now;
    const daily = lapsed ? 0 : (row.daily ?? 0);
    const bonus = row.bonus ?? 0;
    const paid = row.paid ?? 0;
    return {
      user_id: row.id,
      name: row.name,
      email: row.email,
      joined_at: row.created_at.toISOString(),
      daily_credits: daily,
      bonus_credits: bonus,
      paid_credits: paid,
      total_balance: daily + bonus + paid,
      debt: row.debt ?? 0,
      spent: row.lifetime_spent ?? 0,
      images: row.images,
      last_seen_at: row.last_seen?.toISOString() ?? null,
      suspended: row.suspended_since !== null && (row.suspended_until === null || row.suspended_until > now),
      total_count: total,
      suspension: row.suspended_since && {
        since: row.suspended_since.toISOString(),
        until: row.suspended_until?.toISOString() ?? null,
        reason: row.suspended_for ?? '',
      },
      roles: row.roles,
      closed: row.deleted_at !== null,
      strikes: row.strikes,
      events: (row.version ?? -1) + 1,
    };
  });
}
