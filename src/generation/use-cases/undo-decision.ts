import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Transaction } from 'kysely';
import { UNDO_HOURS } from '../../contract/moderation.js';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { MESSAGES } from '../messages.js';
import {
  type DecisionRow,
  ModerationCases,
  moderatedState,
  type ReopenedCase,
} from '../moderation/moderation-cases.js';
import { type ChangedSuspension, Suspensions } from '../moderation/suspensions.js';
import { type GenerationTables, type ModeratedState } from '../tables.js';

/** The effects of an undo, for the log and the gallery. */
export interface UndoneDecision extends ReopenedCase {
  /** Null when the decision suspended no one any more. */
  readonly suspension: ChangedSuspension | null;
  readonly decision: DecisionRow;
  readonly before: ModeratedState | null;
  readonly after: ModeratedState | null;
}

/**
 * Undoes a decision in the caller's transaction: the image is as before, its reports and its request are open again,
 * and the strike, its part of a suspension and the blocked prompt are gone.
 * @throws DomainError notFound for an unknown decision, forbidden for the admin's own image, conflict when it is
 *   undone, older than a day or followed by another decision, or the image is deleted
 */
export class UndoDecision extends CommandOf<
  {
    readonly transaction: Transaction<GenerationTables>;
    readonly actId: string;
    readonly adminId: string;
  },
  UndoneDecision
> {}

@CommandHandler(UndoDecision)
export class UndoDecisionHandler implements ICommandHandler<UndoDecision> {
  constructor(
    private readonly cases: ModerationCases,
    private readonly suspensions: Suspensions,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { transaction, actId, adminId } }: UndoDecision): Promise<UndoneDecision> {
    const decision = await this.cases.findDecision(transaction, actId);
    if (!decision) throw new DomainError('notFound', MESSAGES.decisionNotFound);
    if (decision.maker_id === adminId) throw new DomainError('forbidden', MESSAGES.ownCase, { code: '42501' });
    const image =
      decision.generation_id === null ? undefined : await this.cases.lockImage(transaction, decision.generation_id);
    if (this.clock.now().getTime() >= undoDeadline(decision.decided_at).getTime()) throw conflict(MESSAGES.undoTooLate);
    if (decision.before && image?.deleted_at !== null) throw conflict(MESSAGES.undoDeleted);
    if (await this.cases.isSuperseded(transaction, decision)) throw conflict(MESSAGES.undoSuperseded);
    const reopened = await this.cases.reopen(transaction, decision);
    if (!reopened) throw conflict(MESSAGES.undoneAlready);
    const suspended = { userId: decision.maker_id, strikeActId: actId };
    const suspension = (reopened.strike && (await this.suspensions.takeBack(transaction, suspended))) || null;
    const before = decision.before && image ? moderatedState(image) : null;
    if (decision.before && image) await this.cases.moderate(transaction, image.id, decision.before);
    return { ...reopened, suspension, decision, before, after: decision.before };
  }
}

/** The instant from which a decision cannot be undone any more. The files of a taken-down image are deleted then. */
export function undoDeadline(decidedAt: Date): Date {
  return new Date(decidedAt.getTime() + UNDO_HOURS * 3_600_000);
}

function conflict(message: string): DomainError {
  return new DomainError('conflict', message, { code: '55000' });
}
