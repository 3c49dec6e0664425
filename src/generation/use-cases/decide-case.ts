import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Transaction } from 'kysely';
import {
  type CaseDecision,
  type CaseKind,
  STRIKE_SUSPENSION_DAYS,
  STRIKES_TO_SUSPEND,
} from '../../contract/moderation.js';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../platform/domain-error.js';
import { ClosedOwners } from '../closed-owners.js';
import { MESSAGES } from '../messages.js';
import { type CaseRow, moderatedState, ModerationCases } from '../moderation/moderation-cases.js';
import { promptHash } from '../moderation/prompt-hash.js';
import { Suspensions } from '../moderation/suspensions.js';
import { type GenerationRow, type GenerationTables, type ModeratedState } from '../tables.js';

/** A decision of an admin about a case. */
export interface CaseToDecide {
  readonly kind: CaseKind;
  readonly id: string;
  readonly decision: CaseDecision;
  /** For the owner of the image. */
  readonly note: string;
  readonly adminId: string;
  readonly actId: string;
  readonly blockPrompt: boolean;
  /** Count a taken-down image against its maker. */
  readonly strike: boolean;
  /** Days of a suspension of the maker; null for none. */
  readonly suspendDays: number | null;
}

/** A suspension that a decision has caused. */
export interface CausedSuspension {
  readonly until: Date | null;
  /** True: by the rule of three strikes. */
  readonly byStrikes: boolean;
}

/** The effects of a decision, for the log and the gallery. */
export interface DecidedCase {
  readonly creatorId: string;
  readonly makerId: string;
  /** Null for a refusal of our own rules. */
  readonly generationId: string | null;
  /** Null when there is no image, or it was deleted before. */
  readonly before: ModeratedState | null;
  readonly after: ModeratedState | null;
  readonly reports: number;
  readonly requests: number;
  readonly blocked: boolean;
  readonly struck: boolean;
  readonly strikes: number;
  readonly suspensions: readonly CausedSuspension[];
}

/**
 * Decides a case in the caller's transaction. The case, its reports and request, the image, the strike, the suspension
 * and the blocked prompt change together.
 * @throws CaseDecidedError when another admin was first
 * @throws DomainError notFound for an unknown case, forbidden for the admin's own image, unprocessable to hide a
 *   refused
 *   prompt
 */
export class DecideCase extends Command<DecidedCase> {
  constructor(readonly input: CaseToDecide & { readonly transaction: Transaction<GenerationTables> }) {
    super();
  }
}

/** Another admin has decided the case before. */
export class CaseDecidedError extends DomainError {
  constructor(
    readonly decision: CaseDecision,
    readonly decidedBy: string,
  ) {
    super('conflict', MESSAGES.caseDecided, { code: '40001' });
  }
}

@CommandHandler(DecideCase)
export class DecideCaseHandler implements ICommandHandler<DecideCase> {
  constructor(
    private readonly cases: ModerationCases,
    private readonly suspensions: Suspensions,
    private readonly owners: ClosedOwners,
    private readonly clock: Clock,
  ) {}

  async execute({ input }: DecideCase): Promise<DecidedCase> {
    const { transaction, kind, id, decision } = input;
    const found = await this.cases.find(transaction, kind, id);
    if (!found) throw new DomainError('notFound', MESSAGES.caseNotFound);
    if (found.maker_id === input.adminId) throw new DomainError('forbidden', MESSAGES.ownCase, { code: '42501' });
    if (kind === 'refusal' && decision !== 'keep') {
      throw new DomainError('unprocessable', MESSAGES.refusalHasNoImage, { code: '22023' });
    }
    if (found.decision) throw new CaseDecidedError(found.decision, found.decided_by ?? '');
    const image = found.generation_id === null ? undefined : await this.lock(input, found.generation_id);
    const close = { ...input, by: input.adminId, generationId: found.generation_id };
    const closed = await this.cases.close(transaction, close);
    if (!closed.decided) await this.refuseAsDecided(input);

    const before = image && image.deleted_at === null && kind !== 'refusal' ? moderatedState(image) : null;
    const after = before && this.stateAfter(input, before);
    if (image && after) await this.cases.moderate(transaction, image.id, after);
    const prompt = image?.prompt ?? (await this.refusedPrompt(input));
    const blockedPrompt = input.blockPrompt && prompt !== '' ? promptHash(prompt) : null;
    const { creator_id: creatorId, maker_id: makerId } = found;
    const blocked =
      blockedPrompt !== null &&
      (await this.cases.block(transaction, { creatorId, promptHash: blockedPrompt, actId: input.actId }));
    await this.cases.remember(transaction, { ...close, creatorId, makerId, before, blockedPrompt });
    const sanctions = await this.sanction(input, found);
    const { reports, requests } = closed;
    const { generation_id: generationId } = found;
    return { creatorId, makerId, generationId, before, after, reports, requests, blocked, ...sanctions };
  }

  private async lock({ transaction }: DecideCase['input'], id: string): Promise<GenerationRow | undefined> {
    return this.cases.lockImage(transaction, id);
  }

  /** @throws CaseDecidedError */
  private async refuseAsDecided({ transaction, kind, id }: DecideCase['input']): Promise<never> {
    const row = await this.cases.find(transaction, kind, id);
    throw new CaseDecidedError(row?.decision ?? 'keep', row?.decided_by ?? '');
  }

  private stateAfter({ kind, decision, note }: DecideCase['input'], before: ModeratedState): ModeratedState {
    // Keeping an image closes its reports, and ends the creator's request if that is the case.
    if (decision === 'keep') return { ...before, taken_down_at: kind === 'take_down' ? null : before.taken_down_at };
    return {
      taken_down_at: null,
      moderated_at: this.clock.now().toISOString(),
      moderation: decision === 'hide' ? 'hidden' : 'taken_down',
      moderation_note: note,
    };
  }

  private async refusedPrompt({ transaction, kind, id }: DecideCase['input']): Promise<string> {
    if (kind !== 'refusal') return '';
    const row = await transaction
      .selectFrom('moderation_refusal')
      .select('prompt')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.prompt ?? '';
  }

  /** Strikes and suspensions of the maker, whose account is not closed. */
  private async sanction(
    input: DecideCase['input'],
    found: CaseRow,
  ): Promise<Pick<DecidedCase, 'struck' | 'strikes' | 'suspensions'>> {
    const { transaction, actId, decision, note } = input;
    const userId = found.maker_id;
    const suspensions: CausedSuspension[] = [];
    const isOpen = !(await this.owners.among([userId], transaction)).has(userId);
    if (isOpen && input.suspendDays !== null) {
      const reason = note === '' ? MESSAGES.suspendedByAdmin : note;
      const { until } = await this.suspensions.suspend(transaction, { userId, days: input.suspendDays, reason });
      suspensions.push({ until, byStrikes: false });
    }
    if (!isOpen || !input.strike || decision !== 'take_down' || found.generation_id === null) {
      return { struck: false, strikes: await this.cases.strikesOf(transaction, userId), suspensions };
    }
    const strike = { userId, generationId: found.generation_id, actId };
    const { strikes, added } = await this.cases.strike(transaction, strike);
    if (added && strikes >= STRIKES_TO_SUSPEND) {
      const cause = { days: STRIKE_SUSPENSION_DAYS, reason: MESSAGES.suspendedByStrikes(strikes), strikeActId: actId };
      const { until } = await this.suspensions.suspend(transaction, { userId, ...cause });
      suspensions.push({ until, byStrikes: true });
    }
    return { struck: added, strikes, suspensions };
  }
}
