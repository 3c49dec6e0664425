import { QueryHandler } from '@nestjs/cqrs';
import { type RawBuilder, sql } from 'kysely';
import { type AdminUserReport } from '../../contract/admin-users.js';
import { COUNTED_TO } from '../../contract/limits.js';
import { type CreatorTables } from '../../creators/tables.js';
import { type GenerationTables } from '../../generation/tables.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { creatorUuid } from '../cases/case-row.js';

/** A page of the reports that a user made, or of the cases about their images, the latest first. One statement. */
export class ListUserReports extends QueryOf<
  PageAt & {
    readonly userId: string;
    /** True for cases about images of the user. */
    readonly about: boolean;
  },
  AdminUserReport[]
> {}

type ReportRow = Omit<AdminUserReport, 'at' | 'decided_at'> & { readonly at: Date; readonly decided_at: Date | null };

@QueryHandler(ListUserReports)
export class ListUserReportsHandler extends ReadHandler<GenerationTables & CreatorTables, ListUserReports> {
  async execute({ input: { userId, about, limit, offset } }: ListUserReports): Promise<AdminUserReport[]> {
    const list = about ? casesAbout(userId) : reportsBy(userId);
    const { rows } = await sql<ReportRow>`
      with found as materialized (${list} limit ${sql.lit(COUNTED_TO)}),
        page as (select * from found order by at desc, id desc limit ${limit} offset ${offset})
      select r.kind, r.id, r.generation_id, r.reason, r.note, r.at, r.decision, r.decided_at,
        coalesce((select name from creator where id = ${creatorUuid('r')}), 'Unknown Creator') as creator_name,
        (select image from generation g where g.id = r.generation_id and g.deleted_at is null) as image,
        case when r.kind = 'report' then (select count(*)::int from (select from generation_report other
          where other.generation_id = r.generation_id limit ${sql.lit(COUNTED_TO)}) as counted) else 1 end as reports,
        ${about}::boolean and exists (select from generation_strike strike
          where strike.user_id = ${userId} and strike.generation_id = r.generation_id) as strike,
        (select count(*)::int from found) as total_count
      from page r order by r.at desc, r.id desc`.execute(this.db);
    return rows.map((row) => ({
      ...row,
      at: row.at.toISOString(),
      decided_at: row.decided_at?.toISOString() ?? null,
    }));
  }
}

function casesAbout(userId: string): RawBuilder<unknown> {
  return sql`
    select kind, id, generation_id, creator_id, reason, '' as note, opened_at as at, decision, decided_at
    from moderation_case where maker_id = ${userId} and kind in ('report', 'take_down')`;
}

function reportsBy(userId: string): RawBuilder<unknown> {
  return sql`
    select 'report' as kind, id, generation_id, creator_id, reason, note, created_at as at,
      case resolution when 'dismissed' then 'keep' when 'removed' then 'take_down' when 'hidden' then 'hide' end
        as decision, resolved_at as decided_at
    from generation_report where user_id = ${userId} order by id desc`;
}
