import { type RawBuilder, sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import { isStuck } from '../../payments/index.js';
import { type AdminQueue, type QueueKind } from '../../contract/admin.js';
import { creatorUuid } from '../cases/case-row.js';

/** Failed attempts after which the list of payment problems shows an event or a refund. */
const FAILED_ATTEMPTS = 3;

/** A queue as the database returns it. */
export interface QueueRow {
  readonly kind: QueueKind;
  readonly count: number;
  /** A text when it was read as JSON. */
  readonly oldest_at: Date | string | null;
  readonly overdue: number;
  readonly names: readonly string[];
}

/** The queues by their rows: `at`, `overdue` and `name`, at most 10,000, in the order of an index. */
const QUEUES = {
  urgent_reports: () => sql`${openReports()} and rank = 0 order by rank, opened_at, id`,
  ledger_problems: () =>
    sql`select found_at as at, false as overdue, null::text as name from ledger_problem order by 1`,
  take_downs: openTakeDowns,
  reports: () => sql`${openReports()} and rank = 1 order by rank, opened_at, id`,
  payment_problems: paymentProblems,
  stuck_checkouts: stuckCheckouts,
  credit_proposals: creditProposals,
  model_deletions: modelDeletions,
  refused_prompts: refusedPrompts,
  applications: () => creatorsIn('pending'),
  without_model: () => creatorsIn('waiting_for_model'),
} as const satisfies Record<QueueKind, (now: Date) => RawBuilder<unknown>>;

/** All queues, the most urgent first. */
const QUEUE_KINDS = Object.keys(QUEUES) as readonly QueueKind[];

/** A select of `QueueRow` for each kind, also of empty queues. */
export function queuesAt(now: Date, kinds: readonly QueueKind[] = QUEUE_KINDS): RawBuilder<unknown> {
  return sql.join(
    kinds.map((kind) => counted(kind, QUEUES[kind](now))),
    sql` union all `,
  );
}

function counted(kind: QueueKind, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select ${sql.lit(kind)} as kind, count(*)::int as count, min(at) as oldest_at,
      (count(*) filter (where overdue))::int as overdue,
      coalesce((array_agg(name order by at) filter (where name is not null))[1:2], '{}') as names
    from (${rows} limit ${sql.lit(COUNTED_TO)}) as waiting`;
}

function openReports(): RawBuilder<unknown> {
  return sql`
    select opened_at as at, false as overdue, null::text as name from moderation_case
    where decision is null and kind = 'report'`;
}

/** Nothing was published, so they come after everything that was. */
function refusedPrompts(): RawBuilder<unknown> {
  return sql`
    select opened_at as at, false as overdue, null::text as name from moderation_case
    where decision is null and kind = 'refusal' and rank = 2 order by rank, opened_at, id`;
}

function openTakeDowns(now: Date): RawBuilder<unknown> {
  return sql`
    select request.at, request.due_at < ${now} as overdue, creator.name
    from (
      select opened_at as at, due_at, creator_id from moderation_case
      where decision is null and due_at is not null order by due_at, id limit ${sql.lit(COUNTED_TO)}
    ) as request
    left join lateral (select name from creator where id = ${creatorUuid('request')} limit 1) as creator on true`;
}

function modelDeletions(now: Date): RawBuilder<unknown> {
  return sql`
    select task.requested_at as at, task.due_at < ${now} as overdue, creator.name
    from creator_model_deletion task
    left join lateral (select name from creator where id = task.creator_id limit 1) as creator on true
    where task.done_at is null and task.cancelled_at is null order by task.due_at`;
}

function creatorsIn(state: 'pending' | 'waiting_for_model'): RawBuilder<unknown> {
  return sql`
    select state_since as at, false as overdue, name from creator
    where application_state = ${sql.lit(state)} order by application_state, state_since, id`;
}

/** As `get_payment_problems` lists them. */
function paymentProblems(): RawBuilder<unknown> {
  const part = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${rows} limit ${sql.lit(COUNTED_TO)})`;
  return sql`
    select at, false as overdue, null::text as name from (
      ${part(sql`select first_seen_at as at from payment_problem where resolved_at is null order by 1`)}
      union all
      ${part(sql`select received_at from payment_event
        where handled_at is null and not unreadable and attempts >= ${sql.lit(FAILED_ATTEMPTS)} order by 1`)}
      union all
      ${part(sql`select created_at from admin_refund
        where status in ('reserving', 'reserved', 'releasing') and attempts >= ${sql.lit(FAILED_ATTEMPTS)} order by 1`)}
    ) as problems order by at`;
}

function stuckCheckouts(now: Date): RawBuilder<unknown> {
  return sql`
    select created_at as at, false as overdue, null::text as name from checkout where ${isStuck(now)}
    order by expires_at`;
}

/** Grants and adjustments that wait for a second admin. */
function creditProposals(): RawBuilder<unknown> {
  return sql`
    select proposed_at as at, false as overdue, null::text as name from credit_proposal
    where state = 'open' order by proposed_at, id`;
}

/** Queues with something in them: urgent reports, then those with overdue work, then the others in their order. */
export function waiting(rows: readonly QueueRow[]): AdminQueue[] {
  const rank = ({ kind, overdue }: QueueRow): number => (kind === 'urgent_reports' ? 0 : overdue > 0 ? 1 : 2);
  const kindIndex = ({ kind }: QueueRow): number => QUEUE_KINDS.findIndex((known) => known === kind);
  return rows
    .filter(({ count }) => count > 0)
    .sort((a, b) => rank(a) - rank(b) || kindIndex(a) - kindIndex(b))
    .map(queueOf);
}

function queueOf({ kind, count, oldest_at: oldest, overdue, names }: QueueRow): AdminQueue {
  return { kind, count, oldest_at: oldest === null ? null : new Date(oldest).toISOString(), overdue, names };
}
