import { QueryHandler } from '@nestjs/cqrs';
import { type RawBuilder, sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import { type ApplicationRow, type ApplicationState } from '../../contract/applications.js';
import { containing } from '../../platform/database/like.js';
import { searchPage } from '../../platform/database/search-page.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { readSearch } from '../application-search.js';
import { type CreatorTables } from '../tables.js';

/** The number of applications that are searched for a term that the index cannot find. */
const APPLICATIONS_SEARCHED = 1_000;

/** Open applications wait for a person. */
const OPEN: ReadonlySet<ApplicationState> = new Set<ApplicationState>(['pending', 'waiting_for_model']);

/**
 * A page of applications in a state: open ones oldest first, decided ones latest first. `total_count` counts all pages,
 * up to 10,000; of a common term only those among the first 10,000 applications. A term without three letters or digits
 * in a row searches the newest 1,000.
 */
export class ListApplications extends QueryOf<
  PageAt & {
    readonly state: ApplicationState;
    /** A part of a name, a username, a handle or an address. */
    readonly search?: string | null | undefined;
  },
  ApplicationRow[]
> {}

type Found = Omit<ApplicationRow, 'applied_at' | 'decided_at'> & {
  readonly applied_at: Date | null;
  readonly decided_at: Date | null;
};

@QueryHandler(ListApplications)
export class ListApplicationsHandler extends ReadHandler<CreatorTables, ListApplications> {
  async execute({ input: { state, search, limit, offset } }: ListApplications): Promise<ApplicationRow[]> {
    const direction = OPEN.has(state) ? sql`asc` : sql`desc`;
    const { rows } = await sql<Found>`
      with page as (${pageOf({ state, search, limit, offset }, direction)})
      select page.id as creator_id, creator.name, creator.username, creator.instagram, creator.email,
        ${state}::text as state, application.applied_at, decision.decided_at,
        (select case when question.answered_at is null then 'open' else 'answered' end
          from creator_question question where question.creator_id = page.id and ${state} = 'pending'
            and question.application_id = application.id
          order by question.asked_at desc limit 1) as question,
        page.total as total_count
      from page
      join creator on creator.id = page.id
      left join lateral (
        select id, applied_at from creator_application where creator_id = page.id order by applied_at desc limit 1
      ) application on true
      left join lateral (
        select decided_at from creator_decision
        where creator_id = page.id and kind in ('approved', 'rejected') and ${state} <> 'pending'
        order by number desc limit 1
      ) decision on true
      order by creator.state_since ${direction}, creator.id ${direction}`.execute(this.db);
    return rows.map((row) => ({
      ...row,
      applied_at: row.applied_at?.toISOString() ?? null,
      decided_at: row.decided_at?.toISOString() ?? null,
    }));
  }
}

/** A select of `id` and `total` for a page, in no order. */
function pageOf(
  { state, search, limit, offset }: ListApplications['input'],
  direction: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const all = sql`
    select id, state_since, name, username, instagram, email from creator where application_state = ${state}`;
  const order = sql`state_since ${direction}, id ${direction}`;
  const searched = sql`lower(name || ' ' || username || ' ' || instagram || ' ' || email)`;
  const { text, indexed } = readSearch(search);
  const matches = sql<boolean>`strpos(${searched}, ${text}) > 0`;
  if (indexed) {
    const like = sql<boolean>`${searched} like ${containing(text)}`;
    return searchPage({ rows: all, order, indexed: like, matches, limit, offset, countedTo: COUNTED_TO });
  }
  const newest = sql`select * from (${all} order by state_since desc, id desc limit ${sql.lit(APPLICATIONS_SEARCHED)}) newest`;
  const found = text === '' ? all : sql`${newest} where ${matches}`;
  return sql`
    select id, (
      select count(*)::int from (
        select from (${found}) counted order by state_since, id limit ${sql.lit(COUNTED_TO)}
      ) counted
    ) as total
    from (${found}) found order by ${order} limit ${limit} offset ${offset}`;
}
