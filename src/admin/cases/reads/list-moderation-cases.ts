import { QueryHandler } from '@nestjs/cqrs';
import { type RawBuilder, sql } from 'kysely';
import { COUNTED_TO } from '../../../contract/limits.js';
import { type CaseKind, type CaseReason, type ModerationCaseRow } from '../../../contract/moderation.js';
import { isUuid } from '../../../platform/ids.js';
import { type PageAt, QueryOf, ReadHandler } from '../../../platform/messages.js';
import { type CaseTables } from '../moderation-tables.js';
import { creatorUuid, type StoredCase, toCaseRow } from '../case-row.js';

/**
 * A page of the queue. Open cases: urgent ones, then overdue ones, then other images, then refusals, each the oldest
 * first. Decided ones: the latest first. One statement.
 */
export class ListModerationCases extends QueryOf<
  PageAt & {
    readonly decided: boolean;
    readonly kind: CaseKind | null;
    readonly reason: CaseReason | null;
    readonly creatorId: string | null;
  },
  ModerationCaseRow[]
> {}

@QueryHandler(ListModerationCases)
export class ListModerationCasesHandler extends ReadHandler<CaseTables, ListModerationCases> {
  async execute({ input }: ListModerationCases): Promise<ModerationCaseRow[]> {
    if (input.creatorId !== null && !isUuid(input.creatorId)) return [];
    const now = this.clock.now();
    const page = input.decided ? decidedPage(input) : openPage(input, now);
    const { rows } = await sql<StoredCase & { total_count: number }>`
      with page as (${page})
      select page.*, coalesce((select name from creator where creator.id = ${creatorUuid('page')}), 'Unknown Creator')
        as creator_name,
        case when image.deleted_at is null then image.image end as image,
        case when page.kind = 'report' then (select count(*)::int from generation_report report
          where report.generation_id = page.generation_id
            and (page.decision is not null or report.resolved_at is null)) else 1 end as reports,
        (select count(*)::int from (select from moderation_case
          where ${isWanted(input)} order by ${inOrder(input)} limit ${COUNTED_TO}) as counted) as total_count
      from page
        left join generation image on image.id = page.generation_id
      order by place`.execute(this.db);
    return rows.map(({ total_count, ...row }) => ({ ...toCaseRow(row, now), total_count }));
  }
}

type Wanted = ListModerationCases['input'];

function isWanted({ decided, kind, reason, creatorId }: Wanted): RawBuilder<unknown> {
  const conditions = [sql`decision is ${sql.raw(decided ? 'not null' : 'null')}`];
  if (kind !== null) conditions.push(sql`kind = ${kind}`);
  if (reason !== null) conditions.push(sql`reason = ${reason}`);
  if (creatorId !== null) conditions.push(sql`creator_id = ${creatorId}`);
  return sql.join(conditions, sql` and `);
}

/** The order of the index that holds the wanted cases. Without it, the count may read the table from end to end. */
function inOrder({ decided }: Wanted): RawBuilder<unknown> {
  return decided ? sql`decided_at desc, id desc` : sql`rank, opened_at, id`;
}

function decidedPage(wanted: Wanted): RawBuilder<unknown> {
  return sql`select *, row_number() over (order by decided_at desc, id desc) as place from (
    select * from moderation_case where ${isWanted(wanted)}
    order by decided_at desc, id desc limit ${wanted.limit} offset ${wanted.offset}) as decided`;
}

/** Each group is read in the order of an index, because being overdue depends on the time. */
function openPage(wanted: Wanted, now: Date): RawBuilder<unknown> {
  const upTo = wanted.limit + wanted.offset;
  const group = (order: number, condition: RawBuilder<unknown>, oldest: string) =>
    sql`(select *, ${sql.lit(order)} as of_group from moderation_case where ${isWanted(wanted)} and ${condition}
      order by ${sql.raw(oldest)}, id limit ${upTo})`;
  const groups = [
    group(0, sql`rank = 0`, 'opened_at'),
    group(1, sql`due_at is not null and due_at < ${now}::timestamptz`, 'due_at'),
    group(2, sql`rank = 1 and (due_at is null or due_at >= ${now}::timestamptz)`, 'opened_at'),
    group(3, sql`rank = 2`, 'opened_at'),
  ];
  return sql`select *, row_number() over (order by of_group, opened_at, id) as place
    from (${sql.join(groups, sql` union all `)}) as grouped
    order by place limit ${wanted.limit} offset ${wanted.offset}`;
}
