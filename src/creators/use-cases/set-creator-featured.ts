import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Actor } from '../../platform/acts/actor.js';
import { CreatorReview } from '../creator-review.js';

/**
 * Shows a creator on the home page, or no longer. Repeating it changes and records nothing. Returns the new value.
 * @throws DomainError notFound
 */
export class SetCreatorFeatured extends Command<boolean> {
  constructor(readonly input: { readonly creatorId: string; readonly actor: Actor; readonly featured: boolean }) {
    super();
  }
}

@CommandHandler(SetCreatorFeatured)
export class SetCreatorFeaturedHandler implements ICommandHandler<SetCreatorFeatured> {
  constructor(private readonly review: CreatorReview) {}

  async execute({ input: { creatorId, actor, featured } }: SetCreatorFeatured): Promise<boolean> {
    const changed = await this.review.perform({
      creatorId,
      actor,
      change: { is_featured: featured },
      when: (row) => row('is_featured', '<>', featured),
      decision: { kind: featured ? 'featured' : 'unfeatured' },
      before: { is_featured: !featured },
      after: { is_featured: featured },
    });
    if (!changed) await this.review.record(creatorId);
    return featured;
  }
}
