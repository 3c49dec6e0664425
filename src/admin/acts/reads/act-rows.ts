import { type Kysely, type RawBuilder, sql } from 'kysely';
import { COUNTED_TO } from '../../../contract/limits.js';
import { type ActFilter } from '../../../contract/calls/acts.js';
import { type ActKind, type ActState, type ActSubject, type ActValues, type AdminAct } from '../../../contract/acts.js';
import { beginningWith, containing } from '../../../platform/database/like.js';

/** The fields of an entry that a list shows. */
interface ActBody {
  readonly id: string;
  readonly number: number;
  readonly atMs: number;
  readonly kind: ActKind;
  readonly state: ActState;
  readonly actorId: string;
  readonly actorRole: AdminAct['actor_role'];
  readonly requestId: string | null;
  readonly subjectKind: ActSubject;
  readonly subjectId: string;
  readonly userId: string | null;
  readonly creatorId: string | null;
  readonly before: ActValues;
  readonly after: ActValues;
  readonly events: AdminAct['events'];
}

interface ActRow {
  readonly body: ActBody;
  readonly hash: string;
  readonly ending: Pick<ActBody, 'state' | 'before' | 'after' | 'events'> | null;
  readonly actor_name: string | null;
  readonly proposer_name: string | null;
  readonly creator_name: string | null;
  readonly user_name: string | null;
  readonly run_number: number | null;
  readonly reason: string | null;
  readonly address: string | null;
  readonly subject_name: string | null;
  readonly undone_by: string | null;
  readonly sealed: boolean;
  readonly total: number;
}

/**
 * A page of the log, the latest first, with how announced acts ended. One statement. Each filter has an index: kind,
 * actor, ids, time, and trigrams of reasons and names.
 * @param filter with times that `parseInstant` accepts
 * @param before only entries with a lower number
 */
export async function readActs(
  db: Kysely<unknown>,
  filter: ActFilter,
  { before, limit, counted }: { readonly before: number | null; readonly limit: number; readonly counted: boolean },
): Promise<AdminAct[]> {
  const found = conditionsOf(filter);
  const page = before === null ? found : sql`${found} and act.number < ${before}`;
  const total = counted
    ? sql`(select count(*)::integer from (
        select from admin_act act where ${found} order by act.number desc limit ${COUNTED_TO}) as all_acts)`
    : sql`0`;
  const { rows } = await sql<ActRow>`
    select act.body::jsonb as body, act.hash, ending.body as ending, actor.name as actor_name, proposer.name as proposer_name,
      creator.name as creator_name, person.name as user_name, (${RUN_NUMBER}) as run_number,
      personal.reason, personal.address, coalesce(personal.subject_name, (${PROMPT})) as subject_name, undo.id as undone_by, act.number <= coalesce(seal.number, 0) as sealed,
      ${total} as total
    from (
      select act.id, act.number, act.body, act.hash, act.actor_id, act.user_id, act.creator_id,
        act.kind, act.subject_kind, act.subject_id
      from admin_act act
      where ${page} order by act.number desc limit ${limit}
    ) as act
    left join admin_act_personal personal on personal.act_id = act.id
    left join app_user actor on actor.id = act.actor_id and actor.deleted_at is null
    left join app_user proposer on proposer.id = (${PROPOSED_BY}) and proposer.deleted_at is null
    left join app_user person on person.id = act.user_id and person.deleted_at is null
    left join creator on creator.id = act.creator_id::uuid
    left join admin_act undo on undo.undoes = act.id
    left join lateral (
      select body::jsonb as body from admin_act where closes = act.id and state in ('done', 'refused')
      order by state limit 1
    ) as ending on true
    left join lateral (
      select (line::jsonb -> 'manifest' -> 'acts' ->> 'number')::integer as number
      from ledger_seal order by ledger_seal.number desc limit 1
    ) as seal on true
    order by act.number desc`.execute(db);
  return rows.map(actOf);
}

/** The number of the payout run that the subject is, or that its payout is in. */
const RUN_NUMBER = sql`
  select run.number from payout_run run
  where run.id = (
    case act.subject_kind
      when 'payout_run' then act.subject_id
      when 'payout' then (select payout.run_id from payout where payout.payout_id = act.subject_id)
    end
  )::uuid`;

/** The start of the prompt that the subject is about, as long as it is kept: an image's, or a refused one. */
const PROMPT = sql`
  select nullif(left(coalesce(refused.prompt, image.prompt), 60), '')
  from (
    select case when act.subject_kind in ('generation', 'refusal') then act.subject_id::uuid end as id
  ) as subject
  left join moderation_refusal refused on refused.id = subject.id
  left join generation image on image.id = subject.id`;

/** The proposer of what the act approves, which names it, or declines, whose subject is the proposal. */
const PROPOSED_BY = sql`
  select coalesce(act.body::jsonb #>> '{after,proposed_by}', (
    select proposal.proposed_by from credit_proposal proposal
    where proposal.id = case when act.kind = 'credits.declined' then act.subject_id::uuid end
  ))`;

/** The entries that a filter selects, without the ends of announced acts. */
function conditionsOf(filter: ActFilter): RawBuilder<unknown> {
  const { p_actor_id: actor, p_kind: kind, p_about: about, p_from: from, p_to: to, p_search: search } = filter;
  const conditions = [sql`act.closes is null`];
  if (actor != null) conditions.push(sql`act.actor_id = ${actor}`);
  if (kind != null) {
    conditions.push(kind.endsWith('.') ? sql`act.kind like ${beginningWith(kind)}` : sql`act.kind = ${kind}`);
  }
  if (about != null) {
    conditions.push(sql`act.id in (
      select id from admin_act where subject_id = ${about} union all
      select id from admin_act where user_id = ${about} union all
      select id from admin_act where creator_id = ${about})`);
  }
  if (from != null) conditions.push(sql`act.at_ms >= ${Date.parse(from)}`);
  if (to != null) conditions.push(sql`act.at_ms < ${Date.parse(to)}`);
  if (search != null) {
    const pattern = containing(search);
    conditions.push(sql`act.id in (
      select act_id from admin_act_personal where reason ilike ${pattern} or subject_name ilike ${pattern})`);
  }
  return sql.join(conditions, sql` and `);
}

function actOf({ body, hash, ending, total, ...names }: ActRow): AdminAct {
  const { state, before, after, events } = ending ?? body;
  return {
    id: body.id,
    number: body.number,
    at: new Date(body.atMs).toISOString(),
    kind: body.kind,
    state,
    actor_id: body.actorId,
    actor_role: body.actorRole,
    subject_kind: body.subjectKind,
    subject_id: body.subjectId,
    user_id: body.userId,
    creator_id: body.creatorId,
    before: { ...body.before, ...before },
    after: { ...body.after, ...after },
    request_id: body.requestId,
    events,
    hash,
    total_count: total,
    ...names,
  };
}
