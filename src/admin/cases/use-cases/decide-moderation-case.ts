import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely, type Transaction } from 'kysely';
import {
  type CaseDecided,
  type CaseDecision,
  type CaseKind,
  DECISION_NOTE_MAX_LENGTH,
  GOODWILL_MAX_CREDITS,
} from '../../../contract/moderation.js';
import { type ActKind } from '../../../contract/acts.js';
import { GetOwnCreator } from '../../../creators/index.js';
import { GrantBonusCredits } from '../../../credits/index.js';
import { ChangeSetAside } from '../../../gallery/index.js';
import {
  CaseDecidedError,
  DecideCase,
  type DecidedCase,
  GetTakeDown,
  MESSAGES,
  MoveHiddenFiles,
  sanitiseText,
  undoDeadline,
} from '../../../generation/index.js';
import { GetUser } from '../../../identity/index.js';
import { SuspendBuyer } from '../../../payments/index.js';
import { type Actor, SYSTEM_ACTOR } from '../../../platform/acts/actor.js';
import { Acts, type NewAct } from '../../../platform/acts/acts.js';
import { Clock } from '../../../platform/clock.js';
import { DATABASE } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/domain-error.js';
import { IdGenerator } from '../../../platform/ids.js';
import { Locks } from '../../../platform/locks.js';
import { CommandOf } from '../../../platform/messages.js';
import { type CaseTables } from '../moderation-tables.js';

/** A decision of an admin, as it was asked for. */
export interface AskedDecision {
  readonly actor: Actor;
  readonly kind: CaseKind;
  readonly id: string;
  readonly decision: CaseDecision;
  readonly note: string;
  readonly blockPrompt?: boolean;
  /** By default the kind of the case decides: a take-down at a creator's request is no strike. */
  readonly strike?: boolean | null;
  readonly suspendDays?: number | null;
  readonly goodwillCredits?: number | null;
}

/**
 * Decides a case: the image, its place in the gallery, strikes, suspensions, a blocked prompt and the acts change in
 * one transaction. A goodwill grant follows as an act of its own.
 * @throws DomainError as `DecideCase`; conflict with the name of the admin who was first; unprocessable without the
 *   rule
 *   that was broken
 */
export class DecideModerationCase extends CommandOf<AskedDecision, CaseDecided> {}

const ACT_OF: Readonly<Record<CaseDecision, ActKind>> = {
  keep: 'image.kept',
  hide: 'image.hidden',
  take_down: 'image.taken_down',
};

const DECIDED_AS: Readonly<Record<CaseDecision, string>> = {
  keep: 'kept',
  hide: 'hidden',
  take_down: 'taken down',
};

@CommandHandler(DecideModerationCase)
export class DecideModerationCaseHandler implements ICommandHandler<DecideModerationCase> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CaseTables>,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly acts: Acts,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
    private readonly locks: Locks,
  ) {}

  async execute({ input }: DecideModerationCase): Promise<CaseDecided> {
    const note = sanitiseText(input.note, DECISION_NOTE_MAX_LENGTH);
    if (input.decision !== 'keep' && note === '') {
      throw new DomainError('unprocessable', 'Write which rule the image broke. Its owner reads it.', {
        code: '22023',
      });
    }
    await this.refuseOwnRequest(input);
    const actId = this.ids.next();
    const undoUntil = undoDeadline(this.clock.now());
    // Without the lock, each repetition would wait for the first one with a connection of its own.
    const decided = await this.locks.withLock(`case:${input.id}`, () =>
      this.db
        .transaction()
        .execute((transaction) => this.decide(transaction, { ...input, note }, actId))
        .catch((error: unknown) => this.nameDecider(error)),
    );
    if (!decided) throw new DomainError('conflict', MESSAGES.caseBeingDecided, { code: '40001' });
    const { generationId } = decided;
    if (generationId !== null && input.decision !== 'keep') {
      await this.commands.execute(new MoveHiddenFiles({ generationId }));
    }
    await this.grantGoodwill(input, decided, actId);
    return {
      success: true,
      act_id: actId,
      undo_until: undoUntil.toISOString(),
      strikes: decided.strikes,
      suspended: decided.suspensions.some(({ byStrikes }) => byStrikes),
    };
  }

  /** @throws DomainError forbidden when the admin is the creator who asks for the take-down */
  private async refuseOwnRequest({ kind, id, actor }: AskedDecision): Promise<void> {
    if (kind !== 'take_down') return;
    const own = await this.queries.execute(new GetOwnCreator({ userId: actor.userId }));
    if (!own) return;
    const request = await this.queries.execute(new GetTakeDown({ requestId: id }));
    if (request?.creator_id === own.id) throw new DomainError('forbidden', MESSAGES.ownCase, { code: '42501' });
  }

  private async decide(
    transaction: Transaction<CaseTables>,
    input: AskedDecision,
    actId: string,
  ): Promise<DecidedCase> {
    const { actor, kind, id, decision, note, suspendDays = null, blockPrompt = false } = input;
    const strike = input.strike ?? kind === 'report';
    const asked = { kind, id, decision, note, actId, strike, suspendDays, blockPrompt, adminId: actor.userId };
    const decided = await this.commands.execute(
      new DecideCase({ ...asked, transaction: sameTransaction(transaction) }),
    );
    for (const { until } of decided.suspensions) {
      const { makerId: userId } = decided;
      const suspension = { userId, suspension: { until } };
      await this.commands.execute(new SuspendBuyer({ transaction: sameTransaction(transaction), ...suspension }));
    }
    // The last statements: each entry locks the end of the log.
    await this.changeGallery(transaction, actor, decided);
    await this.acts.record(transaction, mainAct(input, decided), actId);
    for (const act of furtherActs(input, decided)) await this.acts.record(transaction, act);
    return decided;
  }

  /** The image leaves the gallery with its place, or returns to it. */
  private async changeGallery(
    transaction: Transaction<CaseTables>,
    { userId: actorId }: Actor,
    { before, after, creatorId, generationId }: DecidedCase,
  ): Promise<void> {
    if (generationId === null || !before || !after) return;
    const add = after.moderated_at !== null ? (['moderated_at'] as const) : [];
    const ended = before.taken_down_at !== null && after.taken_down_at === null;
    const remove = ended ? (['taken_down_at'] as const) : [];
    if (add.length + remove.length === 0) return;
    const change = { creatorId, generationId, actorId, add, remove };
    await this.commands.execute(new ChangeSetAside({ transaction: sameTransaction(transaction), ...change }));
  }

  /** The second of two admins learns who was first. */
  private async nameDecider(error: unknown): Promise<never> {
    if (!(error instanceof CaseDecidedError)) throw error;
    const user = await this.queries.execute(new GetUser({ userId: error.decidedBy }));
    const name = user?.name ?? 'Another admin';
    const message = `${name} has already decided this case: ${DECIDED_AS[error.decision]}.`;
    throw new DomainError('conflict', message, { code: '40001', details: error.decision, cause: error });
  }

  /** The decision stays when the grant is refused; the id of the decision makes the grant repeatable. */
  private async grantGoodwill(input: AskedDecision, { makerId }: DecidedCase, actId: string): Promise<void> {
    const { goodwillCredits: amount, actor, kind } = input;
    if (!amount) return;
    if (amount > GOODWILL_MAX_CREDITS) throw new Error('The request was not validated.');
    const reason = `Goodwill for ${kind === 'refusal' ? 'a refused prompt' : 'an image'} (decision ${actId})`;
    try {
      await this.commands.execute(
        new GrantBonusCredits({ userId: makerId, grantId: actId, amount, by: actor, reason }),
      );
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const message = `The case is decided, but the goodwill was not granted: ${error.message}`;
      throw new DomainError(error.kind, message, { code: error.code, details: 'goodwill', cause: error });
    }
  }
}

/** A transaction on the same database, as a command of another context takes it. */
export function sameTransaction<Tables>(transaction: Transaction<CaseTables>): Transaction<Tables> {
  return transaction as unknown as Transaction<Tables>;
}

/**
 * The subject of acts about a case: its image, or the refusal. It has no name: the log shows the prompt as long as the
 * prompt is kept.
 */
export function subjectOf(
  { kind, id }: { readonly kind: CaseKind; readonly id: string },
  generationId: string | null,
): NewAct['subject'] {
  return generationId === null || kind === 'refusal'
    ? { kind: 'refusal', id }
    : { kind: 'generation', id: generationId };
}

function mainAct(input: AskedDecision, decided: DecidedCase): NewAct {
  const { kind, decision, note, actor } = input;
  const about = {
    actor,
    subject: subjectOf(input, decided.generationId),
    userId: decided.makerId,
    creatorId: decided.creatorId,
  };
  if (kind === 'refusal') return { kind: 'refusal.reviewed', ...about, after: { decision }, reason: note || null };
  return {
    kind: ACT_OF[decision],
    ...about,
    before: { state: decided.before?.moderation ?? null, take_down_requested: decided.before?.taken_down_at != null },
    after: {
      state: decided.after?.moderation ?? null,
      case: kind,
      reports_closed: decided.reports,
      requests_decided: decided.requests,
      strike: decided.struck,
      strikes: decided.strikes,
    },
    reason: note || null,
  };
}

function furtherActs(input: AskedDecision, decided: DecidedCase): NewAct[] {
  const { makerId: userId, creatorId } = decided;
  const acts: NewAct[] = [];
  if (decided.blocked) {
    const subject = subjectOf(input, decided.generationId);
    acts.push({ kind: 'prompt.blocked', actor: input.actor, subject, userId, creatorId, after: { blocked: true } });
  }
  for (const { until, byStrikes } of decided.suspensions) {
    acts.push({
      kind: 'user.suspended',
      actor: byStrikes ? SYSTEM_ACTOR : input.actor,
      subject: { kind: 'user', id: userId },
      userId,
      after: { until: until?.toISOString() ?? null, strikes: decided.strikes },
      reason: byStrikes ? MESSAGES.suspendedByStrikes(decided.strikes) : input.note || MESSAGES.suspendedByAdmin,
    });
  }
  return acts;
}
