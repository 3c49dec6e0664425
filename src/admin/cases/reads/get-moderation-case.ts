import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../../contract/durations.js';
import { COUNTED_TO } from '../../../contract/limits.js';
import { type CaseKind, type ModerationCase, UNDO_HOURS } from '../../../contract/moderation.js';
import { promptHash, undoDeadline } from '../../../generation/index.js';
import { type GenerationRow } from '../../../generation/tables.js';
import { DomainError } from '../../../platform/domain-error.js';
import { QueryOf, ReadHandler } from '../../../platform/messages.js';
import { creatorUuid, type StoredCase, toCaseRow } from '../case-row.js';
import { type CaseTables } from '../moderation-tables.js';

const REFUSAL_DAYS = 30;
const MOST_ACTS = 20;
const MOST_REPORTS = 100;

/**
 * Everything that an admin needs to decide a case. Three statements.
 * @throws DomainError notFound
 */
export class GetModerationCase extends QueryOf<{ readonly kind: CaseKind; readonly id: string }, ModerationCase> {}

type Image = Pick<
  GenerationRow,
  'status' | 'cost' | 'refunded' | 'hidden_at' | 'taken_down_at' | 'moderated_at' | 'withheld_at' | 'deleted_at'
>;

interface FoundCase extends StoredCase, Nullable<Image> {
  readonly maker_id: string;
  readonly maker_closed: boolean;
  readonly withdrawn: boolean;
  readonly in_gallery: boolean;
  readonly prompt: string;
  readonly made_at: Date | null;
  readonly completed_at: Date | null;
  readonly request_reason: string | null;
  readonly earned: { readonly credits: number; readonly cents: number };
  readonly maker: {
    readonly images: number;
    readonly reported_before: number;
    readonly strikes: number;
    readonly refusals: number;
    readonly suspended: boolean;
    readonly until: string | null;
  };
  readonly open_reports: ModerationCase['open_reports'];
  readonly undo: { readonly act_id: string; readonly decided_at: string } | null;
}

type Nullable<Row> = { readonly [Field in keyof Row]: Row[Field] | null };

@QueryHandler(GetModerationCase)
export class GetModerationCaseHandler extends ReadHandler<CaseTables, GetModerationCase> {
  async execute({ input: { kind, id } }: GetModerationCase): Promise<ModerationCase> {
    const now = this.clock.now();
    const row = await this.find(kind, id, now);
    if (!row) throw new DomainError('notFound', 'There is no such case.');
    const [history, promptBlocked] = await Promise.all([this.history(row), this.isBlocked(row)]);
    const undo = row.undo && undoDeadline(new Date(row.undo.decided_at));
    return {
      ...toCaseRow(row, now),
      prompt: row.prompt,
      created_at: (row.made_at ?? row.opened_at).toISOString(),
      delivered_at: row.completed_at?.toISOString() ?? null,
      paid_with:
        kind === 'refusal' || row.cost === null
          ? null
          : {
              credits: row.cost,
              paid_credits: row.earned.credits,
              creator_cents: row.earned.cents,
              refunded: row.refunded ?? false,
            },
      shown: shownAs(row),
      files: row.image?.sources.length ?? 0,
      maker: {
        user_id: row.maker_closed ? null : row.maker_id,
        images: row.maker.images,
        reported_before: row.maker.reported_before,
        strikes: row.maker.strikes,
        suspended: row.maker.suspended,
        suspended_until: row.maker.until === null ? null : new Date(row.maker.until).toISOString(),
        refusals: row.maker.refusals,
      },
      open_reports: row.open_reports.map((report) => ({
        ...report,
        created_at: new Date(report.created_at).toISOString(),
      })),
      request_reason: row.request_reason,
      history,
      prompt_blocked: promptBlocked,
      undo: row.undo && undo && undo > now ? { act_id: row.undo.act_id, until: undo.toISOString() } : null,
    };
  }

  private async find(kind: CaseKind, id: string, now: Date): Promise<FoundCase | undefined> {
    const since = new Date(now.getTime() - REFUSAL_DAYS * DAY_MS);
    const undoable = new Date(now.getTime() - UNDO_HOURS * HOUR_MS);
    const { rows } = await sql<FoundCase>`
      select found.*, coalesce(creator.name, 'Unknown Creator') as creator_name,
        creator.withdrawn_at is not null as withdrawn,
        g.status, g.cost, g.refunded, g.hidden_at, g.taken_down_at, g.moderated_at, g.withheld_at, g.deleted_at,
        g.created_at as made_at, g.completed_at, case when g.deleted_at is null then g.image end as image,
        coalesce(nullif(g.prompt, ''), refusal.prompt, copy.prompt, '') as prompt, request.reason as request_reason,
        exists (select from generation_closed_owner closed where closed.user_id = found.maker_id) as maker_closed,
        exists (select from gallery_item item
          where item.creator_id = creator.id and item.generation_id = found.generation_id) as in_gallery,
        case when found.kind = 'report' then (select count(*)::int from generation_report report
          where report.generation_id = found.generation_id
            and (found.decision is not null or report.resolved_at is null)) else 1 end as reports,
        (select jsonb_build_object('credits', coalesce(sum(credits), 0), 'cents', coalesce(sum(creator_cents), 0))
          from creator_earning earning
          where earning.user_id = found.maker_id and earning.deduction_id = found.generation_id::text) as earned,
        jsonb_build_object(
          'images', (select count(*) from (select from generation made
            where made.user_id = found.maker_id and not made.is_test limit ${COUNTED_TO}) as counted),
          'reported_before', (select count(*) from (select from moderation_case other
            where other.maker_id = found.maker_id and other.kind = 'report'
              and other.id is distinct from found.generation_id limit ${COUNTED_TO}) as counted),
          'strikes', (select count(*) from generation_strike strike where strike.user_id = found.maker_id),
          'refusals', (select count(*) from (select from moderation_refusal refused
            where refused.user_id = found.maker_id and refused.created_at >= ${since}::timestamptz
            limit ${COUNTED_TO}) as counted),
          'suspended', suspension.user_id is not null, 'until', suspension.until) as maker,
        coalesce((select jsonb_agg(to_jsonb(open) order by open.created_at, open.id) from (
          select id, reason, note, user_id, created_at from generation_report report
          where report.generation_id = found.generation_id and report.resolved_at is null and found.kind <> 'refusal'
          order by report.created_at, report.id limit ${MOST_REPORTS}) as open), '[]') as open_reports,
        (select jsonb_build_object('act_id', decision.act_id, 'decided_at', decision.decided_at)
          from moderation_decision decision
          where (decision.case_id = found.id or decision.generation_id = found.generation_id)
            and decision.undone_at is null and decision.decided_at > ${undoable}::timestamptz
            and (g.deleted_at is null or decision.before is null)
          order by decision.decided_at desc limit 1) as undo
      from moderation_case found
        left join generation g on g.id = found.generation_id
        left join creator on creator.id = ${creatorUuid('found')}
        left join moderation_refusal refusal on found.kind = 'refusal' and refusal.id = found.id
        left join generation_take_down request on found.kind = 'take_down' and request.id = found.id
        left join generation_suspension suspension on suspension.user_id = found.maker_id
          and (suspension.until is null or suspension.until > ${now}::timestamptz)
        left join lateral (select prompt from generation_report report
          where report.generation_id = found.generation_id limit 1) as copy on true
      where found.kind = ${kind} and found.id = ${id}::uuid`.execute(this.db);
    return rows[0];
  }

  /** The acts on the image or the refusal, the latest first. */
  private async history({ id, generation_id: generationId }: FoundCase): Promise<ModerationCase['history']> {
    const { rows } = await sql<{ act_id: string; kind: string; at_ms: number; by: string; reason: string | null }>`
      select act.id as act_id, act.kind, act.at_ms,
        coalesce((select name from app_user where app_user.id = act.actor_id), act.actor_id) as by,
        (select reason from admin_act_personal personal where personal.act_id = act.id) as reason
      from admin_act act
      where act.subject_id = ${generationId ?? id} and act.closes is null
      order by act.number desc limit ${MOST_ACTS}`.execute(this.db);
    return rows.map(({ at_ms: at, ...act }) => ({ ...act, at: new Date(Number(at)).toISOString() }));
  }

  private async isBlocked({ creator_id: creatorId, prompt }: FoundCase): Promise<boolean> {
    const row = await this.db
      .selectFrom('generation_blocked_prompt')
      .select('act_id')
      .where('creator_id', '=', creatorId)
      .where('prompt_hash', '=', promptHash(prompt))
      .executeTakeFirst();
    return row !== undefined;
  }
}

function shownAs(row: FoundCase): ModerationCase['shown'] {
  if (row.status !== 'completed' || row.deleted_at !== null || row.maker_closed || row.withdrawn) return 'nowhere';
  if (row.hidden_at !== null || row.taken_down_at !== null || row.moderated_at !== null) return 'hidden';
  return row.in_gallery ? 'gallery' : 'link';
}
