import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AdminCreator } from '../../contract/creators.js';
import { type Actor } from '../../platform/acts/actor.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { type Act, CreatorReview, violatedConstraint } from '../creator-review.js';
import { notOwn, refuseOwnApplication } from '../own-application.js';
import { usernameCandidates } from '../usernames.js';

/** How an applicant was verified, in the words of the admin. */
export interface Verification {
  readonly identity?: string | null | undefined;
  readonly age?: string | null | undefined;
  readonly instagram?: string | null | undefined;
}

/**
 * Approves an open application. The record says how identity, age and handle were verified.
 * @throws DomainError invalid without all three; forbidden for the admin's own application; conflict without an open
 *   application, or when another approved creator
 * has the handle
 */
export class ApproveCreator extends CommandOf<
  { readonly creatorId: string; readonly actor: Actor; readonly verification: Verification },
  AdminCreator
> {}

@CommandHandler(ApproveCreator)
export class ApproveCreatorHandler implements ICommandHandler<ApproveCreator> {
  constructor(private readonly review: CreatorReview) {}

  async execute({ input: { creatorId, actor, verification } }: ApproveCreator): Promise<AdminCreator> {
    const verified = {
      identity_verified: verification.identity?.trim() ?? '',
      age_verified: verification.age?.trim() ?? '',
      instagram_verified: verification.instagram?.trim() ?? '',
    };
    if (Object.values(verified).includes('')) {
      throw new DomainError('invalid', 'State how identity, age and Instagram handle were verified.');
    }
    const approve = (username: object): Promise<boolean | 'username taken'> =>
      this.approve({ creatorId, actor, change: { creator_status: 'active', ...username }, verified });
    let approved = await approve({});
    if (approved === 'username taken') {
      const { instagram } = await this.review.record(creatorId);
      for (const username of usernameCandidates(instagram)) {
        approved = await approve({ username });
        if (approved !== 'username taken') break;
      }
    }
    const record = await this.review.record(creatorId);
    refuseOwnApplication(record, actor.userId);
    if (approved !== true)
      throw new DomainError('conflict', 'This creator has no open application.', { code: '55000' });
    return record;
  }

  /** The application's username may have gone to another creator since. */
  private async approve(
    act: Pick<Act, 'creatorId' | 'actor' | 'change'> & { verified: object },
  ): Promise<boolean | 'username taken'> {
    const { verified, ...rest } = act;
    try {
      return await this.review.perform({
        ...rest,
        when: (row) =>
          row.and([
            row('creator_status', '=', 'pending'),
            row('withdrawn_at', 'is', null),
            notOwn(row, rest.actor.userId),
          ]),
        decision: { kind: 'approved', ...verified },
        before: { creator_status: 'pending' },
        after: { creator_status: 'active' },
      });
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === 'creator_approved_username') return 'username taken';
      if (constraint !== 'creator_approved_handle') throw error;
      throw new DomainError('conflict', 'Another approved creator has this Instagram handle.', { cause: error });
    }
  }
}
