import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import { type ApplicationRow, type ApplicationState } from '../../contract/applications.js';
import { DATABASE } from '../../platform/database/database.js';
import { readSearch } from '../application-search.js';
import { type CreatorTables } from '../tables.js';

/** The number of applications that are searched for a term that the index cannot find. */
const NEWEST = 1_000;

/** Open applications wait for a person. */
const OPEN: ReadonlySet<ApplicationState> = new Set<ApplicationState>(['pending', 'waiting_for_model']);

/**
 * A page of applications in a state: open ones oldest first, decided ones latest first. `total_count` counts all pages,
 * up to 10,000. A term of one or two characters searches the newest 1,000.
 */
export class ListApplications extends Query<ApplicationRow[]> {
  constructor(
    readonly input: {
      readonly state: ApplicationState;
      /** A part of a name, a username, a handle or an address. */
      readonly search?: string | null | undefined;
      readonly limit: number;
      readonly offset: number;
    },
  ) {
    super();
  }
}

type Found = Omit<ApplicationRow, 'applied_at' | 'decided_at'> & {
  readonly applied_at: Date | null;
  readonly decided_at: Date | null;
};

@QueryHandler(ListApplications)
export class ListApplicationsHandler implements IQueryHandler<ListApplications> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { state, search, limit, offset } }: ListApplications): Promise<ApplicationRow[]> {
    const { pattern, newestOnly } = readSearch(search);
    const all = sql`select id, name, username, instagram, email, state_since from creator
      where application_state = ${state}`;
    const searched = newestOnly ? sql`${all} order by state_since desc, id desc limit ${NEWEST}` : all;
    const matches = sql`lower(name || ' ' || username || ' ' || instagram || ' ' || email) like ${pattern}`;
    const found =
      pattern === null
        ? all
        : newestOnly
          ? sql`select * from (${searched}) newest where ${matches}`
          : sql`${all} and ${matches}`;
    const direction = OPEN.has(state) ? sql`asc` : sql`desc`;
    const { rows } = await sql<Found>`
      with page as (
        select * from (${found}) found order by state_since ${direction}, id ${direction} limit ${limit} offset ${offset}
      )
      select page.id as creator_id, page.name, page.username, page.instagram, page.email, ${state}::text as state,
        application.applied_at, decision.decided_at,
        (select case when question.answered_at is null then 'open' else 'answered' end
          from creator_question question where question.creator_id = page.id and ${state} = 'pending'
            and question.application_id = application.id
          order by question.asked_at desc limit 1) as question,
        (select count(*)::int from (
          select from (${found}) counted order by state_since, id limit ${COUNTED_TO}
        ) counted) as total_count
      from page
      left join lateral (
        select id, applied_at from creator_application where creator_id = page.id order by applied_at desc limit 1
      ) application on true
      left join lateral (
        select decided_at from creator_decision
        where creator_id = page.id and kind in ('approved', 'rejected') and ${state} <> 'pending'
        order by number desc limit 1
      ) decision on true
      order by page.state_since ${direction}, page.id ${direction}`.execute(this.db);
    return rows.map((row) => ({
      ...row,
      applied_at: row.applied_at?.toISOString() ?? null,
      decided_at: row.decided_at?.toISOString() ?? null,
    }));
  }
}
