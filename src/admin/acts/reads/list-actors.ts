import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { COUNTED_TO } from '../../../contract/limits.js';
import { type ActCalls } from '../../../contract/calls/acts.js';
import { DATABASE } from '../../../platform/database/database.js';

type Actors = ActCalls['list_admin_actors']['response'];

/** Everyone who is in the log, by name. */
export class ListActors extends Query<Actors> {}

@QueryHandler(ListActors)
export class ListActorsHandler implements IQueryHandler<ListActors> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<unknown>) {}

  /** Skips through the index from one actor to the next: actors are few, and their acts many. */
  async execute(): Promise<Actors> {
    const { rows } = await sql<Actors[number]>`
      with recursive actor as (
        (select actor_id from admin_act order by actor_id limit 1)
        union all
        select (select next.actor_id from admin_act next where next.actor_id > actor.actor_id order by next.actor_id limit 1)
        from actor where actor.actor_id is not null
      )
      select actor.actor_id, person.name as actor_name, (
        select count(*)::integer from (
          select from admin_act act where act.actor_id = actor.actor_id and act.closes is null limit ${COUNTED_TO}
        ) as acts
      ) as acts
      from actor left join app_user person on person.id = actor.actor_id and person.deleted_at is null
      where actor.actor_id is not null order by person.name nulls last, actor.actor_id`.execute(this.db);
    return rows;
  }
}
