import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, type Transaction } from 'kysely';
import { ChangeSetAside } from '../../../gallery/index.js';
import { MoveHiddenFiles, UndoDecision, type UndoneDecision } from '../../../generation/index.js';
import { SuspendBuyer } from '../../../payments/index.js';
import { type Actor, SYSTEM_ACTOR } from '../../../platform/acts/actor.js';
import { Acts, type NewAct } from '../../../platform/acts/acts.js';
import { DATABASE } from '../../../platform/database/database.js';
import { CommandOf } from '../../../platform/messages.js';
import { type CaseTables } from '../moderation-tables.js';
import { sameTransaction, subjectOf } from './decide-moderation-case.js';

/**
 * Undoes a decision within 24 hours, with its strike, its blocked prompt and the part of a suspension that the strike
 * caused.
 * @throws DomainError as `UndoDecision`
 */
export class UndoModerationAct extends CommandOf<{ readonly actor: Actor; readonly actId: string }, void> {}

@CommandHandler(UndoModerationAct)
export class UndoModerationActHandler implements ICommandHandler<UndoModerationAct> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CaseTables>,
    private readonly commands: CommandBus,
    private readonly acts: Acts,
  ) {}

  async execute({ input: { actor, actId } }: UndoModerationAct): Promise<void> {
    const undone = await this.db.transaction().execute(async (transaction) => {
      const undo = new UndoDecision({ transaction: sameTransaction(transaction), actId, adminId: actor.userId });
      const undone = await this.commands.execute(undo);
      if (undone.suspension) {
        const { lifted, after: until } = undone.suspension;
        const change = { userId: undone.decision.maker_id, suspension: lifted ? null : { until } };
        await this.commands.execute(new SuspendBuyer({ transaction: sameTransaction(transaction), ...change }));
      }
      await this.changeGallery(transaction, actor, undone);
      for (const act of actsOf(actor, actId, undone)) await this.acts.record(transaction, act);
      return undone;
    });
    // With an open request of the creator, the image is hidden again.
    const { generation_id: generationId } = undone.decision;
    if (generationId !== null && undone.after) await this.commands.execute(new MoveHiddenFiles({ generationId }));
  }

  private async changeGallery(
    transaction: Transaction<CaseTables>,
    { userId: actorId }: Actor,
    { decision, before, after }: UndoneDecision,
  ): Promise<void> {
    const { creator_id: creatorId, generation_id: generationId } = decision;
    if (generationId === null || !before || !after) return;
    const reopened = before.taken_down_at === null && after.taken_down_at !== null;
    const add = reopened ? (['taken_down_at'] as const) : [];
    const remove = before.moderated_at !== null && after.moderated_at === null ? (['moderated_at'] as const) : [];
    if (add.length + remove.length === 0) return;
    const change = { creatorId, generationId, actorId, add, remove };
    await this.commands.execute(new ChangeSetAside({ transaction: sameTransaction(transaction), ...change }));
  }
}

function actsOf(actor: Actor, undoes: string, undone: UndoneDecision): NewAct[] {
  const { decision, before, after } = undone;
  const { kind, case_id: id, generation_id: generationId, maker_id: userId, creator_id: creatorId } = decision;
  const subject = subjectOf({ kind, id }, generationId);
  const about = { actor, subject, userId, creatorId };
  const acts: NewAct[] = [
    kind === 'refusal'
      ? {
          kind: 'refusal.reviewed',
          ...about,
          undoes,
          before: { decision: decision.decision },
          after: { decision: null },
        }
      : {
          kind: 'image.restored',
          ...about,
          undoes,
          before: { state: before?.moderation ?? null, decision: decision.decision },
          after: {
            state: after?.moderation ?? null,
            reports_opened: undone.reports,
            requests_opened: undone.requests,
            strike_removed: undone.strike,
          },
        },
  ];
  if (undone.unblocked)
    acts.push({ kind: 'prompt.unblocked', ...about, before: { blocked: true }, after: { blocked: false } });
  const { suspension } = undone;
  if (suspension && (suspension.lifted || suspension.before?.getTime() !== suspension.after?.getTime())) {
    const until = { until: suspension.after?.toISOString() ?? null };
    const kind = suspension.lifted ? 'user.unsuspended' : 'user.suspended';
    acts.push({ kind, actor: SYSTEM_ACTOR, subject: { kind: 'user', id: userId }, userId, after: until });
  }
  return acts;
}
