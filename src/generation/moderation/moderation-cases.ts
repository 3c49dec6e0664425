import { Injectable } from '@nestjs/common';
import { type Selectable, sql, type Transaction } from 'kysely';
import { type CaseDecision, type CaseKind } from '../../contract/moderation.js';
import { Clock } from '../../platform/clock.js';
import {
  type GenerationRow,
  type GenerationTables,
  type ModeratedState,
  type ModerationCaseTable,
  type ModerationDecisionTable,
} from '../tables.js';

type GenerationTransaction = Transaction<GenerationTables>;

export type CaseRow = Selectable<ModerationCaseTable>;
export type DecisionRow = Selectable<ModerationDecisionTable>;

/** A decision on a case, to be stored. */
export interface CaseToClose {
  readonly kind: CaseKind;
  readonly id: string;
  readonly generationId: string | null;
  readonly decision: CaseDecision;
  readonly by: string;
  readonly actId: string;
  readonly note: string;
}

/** The rows that a decision has closed. */
export interface ClosedCase {
  /** False when another admin was first. */
  readonly decided: boolean;
  readonly reports: number;
  readonly requests: number;
}

const RESOLUTIONS = { keep: 'dismissed', hide: 'hidden', take_down: 'removed' } as const;
const REQUEST_DECISIONS = { keep: 'kept', hide: 'hidden', take_down: 'removed' } as const;

/** Every statement of a decision about a case, and of its undo. They run in the caller's transaction. */
@Injectable()
export class ModerationCases {
  constructor(private readonly clock: Clock) {}

  async find(transaction: GenerationTransaction, kind: CaseKind, id: string): Promise<CaseRow | undefined> {
    return transaction
      .selectFrom('moderation_case')
      .selectAll()
      .where('kind', '=', kind)
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** The image, locked: two decisions about one image follow each other. */
  async lockImage(transaction: GenerationTransaction, id: string): Promise<GenerationRow | undefined> {
    return transaction.selectFrom('generation').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  }

  /**
   * Closes a case and what it is about. Hiding an image or taking it down also closes the other cases of the image;
   * keeping it leaves them open. One statement.
   */
  async close(transaction: GenerationTransaction, close: CaseToClose): Promise<ClosedCase> {
    const { kind, id, generationId, decision, by, actId, note } = close;
    const now = this.clock.now();
    const all = decision !== 'keep';
    const { rows } = await sql<ClosedCase>`
      with cases as (
        update moderation_case set decision = ${decision}, decided_at = ${now}::timestamptz, decided_by = ${by},
          act_id = ${actId}::uuid
        where decision is null and ((kind = ${kind} and id = ${id}::uuid)
          or (${all} and generation_id = ${generationId}::uuid and kind <> 'refusal'))
        returning kind, id
      ),
      reports as (
        update generation_report set resolved_at = ${now}::timestamptz, resolved_by = ${by},
          resolution = ${RESOLUTIONS[decision]}, act_id = ${actId}::uuid
        where generation_id = ${generationId}::uuid and resolved_at is null and ${all || kind === 'report'}
        returning id
      ),
      requests as (
        update generation_take_down set decision = ${REQUEST_DECISIONS[decision]}, decided_at = ${now}::timestamptz,
          decided_by = ${by}, note = ${note}, act_id = ${actId}::uuid
        where generation_id = ${generationId}::uuid and decision is null and ${all || kind === 'take_down'}
        returning id
      )
      select exists (select from cases where kind = ${kind} and id = ${id}::uuid) as decided,
        (select count(*) from reports)::int as reports, (select count(*) from requests)::int as requests`.execute(
      transaction,
    );
    return rows[0] ?? { decided: false, reports: 0, requests: 0 };
  }

  /** Changes who may see an image, unless it is deleted. False when it is deleted. */
  async moderate(
    transaction: GenerationTransaction,
    id: string,
    state: ModeratedState,
  ): Promise<Pick<GenerationRow, 'id' | 'image' | 'media_moved_at'> | undefined> {
    const now = this.clock.now();
    const { rows } = await sql<Pick<GenerationRow, 'id' | 'image' | 'media_moved_at'>>`
      update generation set taken_down_at = ${state.taken_down_at}::timestamptz,
        moderated_at = ${state.moderated_at}::timestamptz, moderation = ${state.moderation}::text,
        moderation_note = ${state.moderation_note}, updated_at = ${now}::timestamptz,
        -- The files need new addresses when viewers receive the present ones again, and when its owner has them and
        -- must not see it any more.
        media_moved_at = case when ${state.moderation}::text is distinct from 'taken_down'
          and least(hidden_at, withheld_at, ${state.taken_down_at}::timestamptz, ${state.moderated_at}::timestamptz)
            is not null then media_moved_at end
      where id = ${id}::uuid and deleted_at is null
      returning id, image, media_moved_at`.execute(transaction);
    return rows[0];
  }

  /** Stores what an undo needs. */
  async remember(
    transaction: GenerationTransaction,
    decision: CaseToClose & {
      readonly creatorId: string;
      readonly makerId: string;
      readonly before: ModeratedState | null;
      readonly blockedPrompt: string | null;
    },
  ): Promise<void> {
    await transaction
      .insertInto('moderation_decision')
      .values({
        act_id: decision.actId,
        kind: decision.kind,
        case_id: decision.id,
        generation_id: decision.generationId,
        creator_id: decision.creatorId,
        maker_id: decision.makerId,
        decision: decision.decision,
        decided_at: this.clock.now(),
        decided_by: decision.by,
        before: decision.before && JSON.stringify(decision.before),
        blocked_prompt: decision.blockedPrompt,
      })
      .execute();
  }

  /** Blocks a prompt for a creator. False when it is blocked already. */
  async block(
    transaction: GenerationTransaction,
    blocked: { readonly creatorId: string; readonly promptHash: string; readonly actId: string },
  ): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('generation_blocked_prompt')
      .values({
        creator_id: blocked.creatorId,
        prompt_hash: blocked.promptHash,
        act_id: blocked.actId,
        blocked_at: this.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /**
   * Counts a taken-down image against its maker, once.
   * @returns the strikes of the maker, and whether this one is new
   */
  async strike(
    transaction: GenerationTransaction,
    strike: { readonly userId: string; readonly generationId: string; readonly actId: string },
  ): Promise<{ readonly strikes: number; readonly added: boolean }> {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('generation_strike')
      .values({
        act_id: strike.actId,
        user_id: strike.userId,
        generation_id: strike.generationId,
        created_at: this.clock.now(),
      })
      .onConflict((conflict) => conflict.column('generation_id').doNothing())
      .executeTakeFirstOrThrow();
    return { strikes: await this.strikesOf(transaction, strike.userId), added: numInsertedOrUpdatedRows === 1n };
  }

  /** Number of taken-down images that count against a user. */
  async strikesOf(transaction: GenerationTransaction, userId: string): Promise<number> {
    const { strikes } = await transaction
      .selectFrom('generation_strike')
      .select((select) => select.fn.countAll<number>().as('strikes'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return Number(strikes);
  }

  async findDecision(transaction: GenerationTransaction, actId: string): Promise<DecisionRow | undefined> {
    return transaction.selectFrom('moderation_decision').selectAll().where('act_id', '=', actId).executeTakeFirst();
  }

  /** True when a later decision about the image is in force. */
  async isSuperseded(transaction: GenerationTransaction, decision: DecisionRow): Promise<boolean> {
    if (decision.generation_id === null) return false;
    const later = await transaction
      .selectFrom('moderation_decision')
      .select('act_id')
      .where('generation_id', '=', decision.generation_id)
      .where('decided_at', '>', decision.decided_at)
      .where('undone_at', 'is', null)
      .limit(1)
      .executeTakeFirst();
    return later !== undefined;
  }

  /**
   * Opens again what a decision has closed, and takes back its strike and the blocked prompt. One statement.
   */
  async reopen(transaction: GenerationTransaction, decision: DecisionRow): Promise<ReopenedCase | undefined> {
    const { act_id: actId, generation_id: image } = decision;
    const { rows } = await sql<ReopenedCase & { readonly undone: boolean }>`
      with undone as (
        update moderation_decision set undone_at = ${this.clock.now()}::timestamptz
        where act_id = ${actId}::uuid and undone_at is null returning act_id
      ),
      cases as (
        update moderation_case set decision = null, decided_at = null, decided_by = null, act_id = null
        where act_id = ${actId}::uuid and (generation_id = ${image}::uuid
          or (kind = ${decision.kind} and id = ${decision.case_id}::uuid))
      ),
      reports as (
        update generation_report set resolved_at = null, resolved_by = null, resolution = null, act_id = null
        where generation_id = ${image}::uuid and act_id = ${actId}::uuid returning id
      ),
      requests as (
        update generation_take_down
        set decision = null, decided_at = null, decided_by = null, note = '', act_id = null
        where generation_id = ${image}::uuid and act_id = ${actId}::uuid returning id
      ),
      prompts as (
        delete from generation_blocked_prompt where creator_id = ${decision.creator_id}
          and prompt_hash = ${decision.blocked_prompt} and act_id = ${actId}::uuid returning act_id
      ),
      strikes as (delete from generation_strike where act_id = ${actId}::uuid returning act_id)
      select exists (select from undone) as undone, (select count(*) from reports)::int as reports,
        (select count(*) from requests)::int as requests, exists (select from prompts) as unblocked,
        exists (select from strikes) as strike`.execute(transaction);
    const [row] = rows;
    return row?.undone ? row : undefined;
  }
}

/** The rows that an undo has opened again or removed. */
export interface ReopenedCase {
  readonly reports: number;
  readonly requests: number;
  readonly unblocked: boolean;
  readonly strike: boolean;
}

/** The visibility of an image, as far as creators and admins decide it. */
export function moderatedState(
  row: Pick<GenerationRow, 'taken_down_at' | 'moderated_at' | 'moderation' | 'moderation_note'>,
): ModeratedState {
  return {
    taken_down_at: row.taken_down_at?.toISOString() ?? null,
    moderated_at: row.moderated_at?.toISOString() ?? null,
    moderation: row.moderation,
    moderation_note: row.moderation_note,
  };
}
