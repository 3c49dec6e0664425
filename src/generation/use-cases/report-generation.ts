import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type ReportReason } from '../../contract/generation.js';
import { REPORT_NOTE_MAX_LENGTH } from '../../contract/limits.js';
import { GetCreator } from '../../creators/index.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { accountIsClosing, ClosedOwners } from '../closed-owners.js';
import { GenerationRows } from '../rows/generation-rows.js';
import { MESSAGES } from '../messages.js';
import { sanitiseText } from '../prompts/sanitise-prompt.js';
import { type GenerationRow, type GenerationTables } from '../tables.js';
import { mayView } from '../images/visibility.js';

export interface ReportedGeneration {
  /** True when this user had reported this image before. The first report stays as it is. */
  readonly alreadyReported: boolean;
}

export interface ReportGenerationInput {
  readonly userId: string;
  readonly generationId: string;
  readonly reason: ReportReason;
  /** Any text; it is sanitised and cut. */
  readonly note: string;
}

/**
 * Reports another user's finished image to the admins. Each user can report an image once.
 * @throws DomainError notFound when the user may not see it, conflict for the user's own image and a closed account
 */
export class ReportGeneration extends CommandOf<ReportGenerationInput, ReportedGeneration> {}

@CommandHandler(ReportGeneration)
export class ReportGenerationHandler implements ICommandHandler<ReportGeneration> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly rows: GenerationRows,
    private readonly closedOwners: ClosedOwners,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input }: ReportGeneration): Promise<ReportedGeneration> {
    const { userId, generationId } = input;
    const row = await this.rows.find(generationId);
    if (!row || !mayView(row, { userId, isAdmin: false })) throw new DomainError('notFound', MESSAGES.notFound);
    await this.requireConsent(row, userId);
    const closed = await this.closedOwners.among([userId, row.user_id]);
    if (closed.has(userId)) throw accountIsClosing();
    if (closed.has(row.user_id)) throw new DomainError('notFound', MESSAGES.notFound);
    if (row.user_id === userId) throw new DomainError('conflict', MESSAGES.reportOwn, { code: '55000' });
    return { alreadyReported: !(await this.insert(row, input)) };
  }

  /** Images of a withdrawn creator are unknown to other users. */
  private async requireConsent(row: GenerationRow, userId: string): Promise<void> {
    if (row.user_id === userId) return;
    const creator = await this.queries.execute(new GetCreator({ creatorId: row.creator_id }));
    if (creator?.withdrawn) throw new DomainError('notFound', MESSAGES.notFound);
  }

  /** False when the user had reported this image before. */
  private async insert(row: GenerationRow, { userId, reason, note }: ReportGenerationInput): Promise<boolean> {
    const { rows } = await sql`
      with reported as (
        insert into generation_report (id, generation_id, creator_id, user_id, reason, note, prompt, created_at)
        values (${this.ids.next()}::uuid, ${row.id}::uuid, ${row.creator_id}, ${userId}, ${reason},
          ${sanitiseText(note, REPORT_NOTE_MAX_LENGTH)}, ${row.prompt}, ${this.clock.now()}::timestamptz)
        on conflict (generation_id, user_id) do nothing
        returning generation_id, creator_id, reason, created_at
      )
      insert into moderation_case as present (kind, id, generation_id, creator_id, maker_id, reason, rank, opened_at)
      select 'report', generation_id, generation_id, creator_id, ${row.user_id}::text, reason,
        case when reason in ('minors', 'sexual') then 0 else 1 end, created_at
      from reported
      on conflict (kind, id) do update set
        -- The gravest reason names the case. A report after a decision opens the case again.
        reason = case when present.decision is not null or excluded.rank < present.rank or excluded.reason = 'minors'
          then excluded.reason else present.reason end,
        rank = case when present.decision is not null then excluded.rank else least(present.rank, excluded.rank) end,
        opened_at = case when present.decision is not null then excluded.opened_at else present.opened_at end,
        decision = null, decided_at = null, decided_by = null, act_id = null
      returning id`.execute(this.db);
    return rows.length === 1;
  }
}
