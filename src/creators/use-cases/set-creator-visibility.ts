import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Actor } from '../../platform/acts/actor.js';
import { DomainError } from '../../platform/domain-error.js';
import { CreatorReview } from '../creator-review.js';

/**
 * Archives a creator, or shows it again. An archived creator's page stays, and no image starts any more. Repeating it
 * changes and records nothing. Returns the new visibility.
 * @throws DomainError notFound; conflict when a creator who has withdrawn is shown again
 */
export class SetCreatorVisibility extends Command<boolean> {
  constructor(readonly input: { readonly creatorId: string; readonly actor: Actor; readonly visible: boolean }) {
    super();
  }
}

@CommandHandler(SetCreatorVisibility)
export class SetCreatorVisibilityHandler implements ICommandHandler<SetCreatorVisibility> {
  constructor(private readonly review: CreatorReview) {}

  async execute({ input: { creatorId, actor, visible } }: SetCreatorVisibility): Promise<boolean> {
    const changed = await this.review.perform({
      creatorId,
      actor,
      change: { is_visible: visible },
      when: (row) =>
        visible ? row('is_visible', '=', false).and('withdrawn_at', 'is', null) : row('is_visible', '=', true),
      decision: { kind: visible ? 'unarchived' : 'archived' },
      before: { is_visible: !visible },
      after: { is_visible: visible },
    });
    if (changed) return visible;
    const { is_visible: isVisible, withdrawn_at: withdrawnAt } = await this.review.record(creatorId);
    if (isVisible === visible && !(visible && withdrawnAt !== null)) return visible;
    const message = 'This creator has withdrawn. Only they can open the page again, by accepting the terms.';
    throw new DomainError('conflict', message, { code: '55000' });
  }
}
