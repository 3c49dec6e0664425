import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AdminCreator } from '../../contract/creators.js';
import { type Actor } from '../../platform/acts/actor.js';
import { DomainError } from '../../platform/domain-error.js';
import { CreatorReview } from '../creator-review.js';
import { notOwn, refuseOwnApplication } from '../own-application.js';

/**
 * Rejects an open application. The applicant reads the reason, and may apply again after `REAPPLY_AFTER_DAYS`.
 * @throws DomainError invalid without a reason; forbidden for the admin's own application; conflict without an open
 *   application
 */
export class RejectCreator extends Command<AdminCreator> {
  constructor(readonly input: { readonly creatorId: string; readonly actor: Actor; readonly reason: string }) {
    super();
  }
}

@CommandHandler(RejectCreator)
export class RejectCreatorHandler implements ICommandHandler<RejectCreator> {
  constructor(private readonly review: CreatorReview) {}

  async execute({ input: { creatorId, actor, reason } }: RejectCreator): Promise<AdminCreator> {
    if (reason.trim() === '') throw new DomainError('invalid', 'State the reason, which the applicant reads.');
    const rejected = await this.review.perform({
      creatorId,
      actor,
      change: { creator_status: 'rejected' },
      when: (row) => row.and([row('creator_status', '=', 'pending'), notOwn(row, actor.userId)]),
      decision: { kind: 'rejected', reason: reason.trim() },
      before: { creator_status: 'pending' },
      after: { creator_status: 'rejected' },
    });
    const record = await this.review.record(creatorId);
    refuseOwnApplication(record, actor.userId);
    if (!rejected) throw new DomainError('conflict', 'This creator has no open application.', { code: '55000' });
    return record;
  }
}
