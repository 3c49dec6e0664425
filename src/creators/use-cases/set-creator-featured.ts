import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CreatorReview } from '../creator-review.js';

/**
 * Shows a creator on the home page, or no longer. Repeating it changes and records nothing. Returns the new value.
 * @throws DomainError notFound
 */
export class SetCreatorFeatured extends Command<boolean> {
  constructor(readonly input: { readonly creatorId: string; readonly actorId: string; readonly featured: boolean }) {
    super();
  }
}

@CommandHandler(SetCreatorFeatured)
export class SetCreatorFeaturedHandler implements ICommandHandler<SetCreatorFeatured> {
  constructor(private readonly review: CreatorReview) {}

  async execute({ input: { creatorId, actorId, featured } }: SetCreatorFeatured): Promise<boolean> {
    const changed = await this.review.perform({
      creatorId,
      actorId,
      change: { is_featured: featured },
      when: (row) => row('is_featured', '<>', featured),
      decision: { kind: featured ? 'featured' : 'unfeatured' },
    });
    if (!changed) await this.review.record(creatorId);
    return featured;
  }
}
