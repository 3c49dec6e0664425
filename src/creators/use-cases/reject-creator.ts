import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AdminCreator } from '../../contract/creators.js';
import { DomainError } from '../../platform/domain-error.js';
import { CreatorReview } from '../creator-review.js';

/**
 * Rejects an open application. The applicant reads the reason, and may apply again after `REAPPLY_AFTER_DAYS`.
 * @throws DomainError invalid without a reason; conflict without an open application
 */
export class RejectCreator extends Command<AdminCreator> {
  constructor(readonly input: { readonly creatorId: string; readonly actorId: string; readonly reason: string }) {
    super();
  }
}

@CommandHandler(RejectCreator)
export class RejectCreatorHandler implements ICommandHandler<RejectCreator> {
  constructor(private readonly review: CreatorReview) {}

  async execute({ input: { creatorId, actorId, reason } }: RejectCreator): Promise<AdminCreator> {
    if (reason.trim() === '') throw new DomainError('invalid', 'State the reason, which the applicant reads.');
    const rejected = await this.review.perform({
      creatorId,
      actorId,
      change: { creator_status: 'rejected' },
      when: (row) => row('creator_status', '=', 'pending'),
      decision: { kind: 'rejected', reason: reason.trim() },
    });
    const record = await this.review.record(creatorId);
    if (!rejected) throw new DomainError('conflict', 'This creator has no open application.', { code: '55000' });
    return record;
  }
}
