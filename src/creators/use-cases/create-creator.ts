import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { ACCEPTANCE_METHOD, ACCEPTANCE_STATEMENT } from '../../contract/creator-terms.js';
import { IsVerifiedAddress } from '../../identity/index.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { Applicants } from '../applicants.js';
import { type ApplicationForm, readApplication } from '../application-form.js';
import { consentRow } from '../consent.js';
import { alreadyApplied, decideApplication } from '../decide-application.js';
import { type CreatorStatus } from '../tables.js';

export interface CreatedCreator {
  readonly creatorId: string;
  readonly username: string;
  readonly status: CreatorStatus;
}

/**
 * Stores an application: the creator, who waits for a review, and the acceptance of the terms. Stores all or nothing.
 * @throws DomainError for an invalid form, an address that is not the user's verified one, a handle of an approved
 * creator, an open application (conflict 23505) and an application too early after a rejection (conflict 55000)
 */
export class CreateCreator extends CommandOf<
  {
    readonly userId: string;
    readonly form: ApplicationForm;
    readonly userAgent: string | undefined;
  },
  CreatedCreator
> {}

@CommandHandler(CreateCreator)
export class CreateCreatorHandler implements ICommandHandler<CreateCreator> {
  constructor(
    private readonly applicants: Applicants,
    private readonly queries: QueryBus,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input: { userId, form, userAgent } }: CreateCreator): Promise<CreatedCreator> {
    const data = readApplication(form);
    if (!(await this.queries.execute(new IsVerifiedAddress({ userId, email: data.email })))) throw notYourAddress();
    const at = this.clock.now();
    const state = await this.applicants.find(userId, data.instagram);
    const creatorId = decideApplication(state, at)?.creatorId ?? this.ids.next();
    const acceptance = {
      termsUrl: new URL('/creator-terms', this.config.publicUrl).href,
      method: ACCEPTANCE_METHOD,
      statement: ACCEPTANCE_STATEMENT,
      userAgent: userAgent ?? '',
      email: data.email,
    };
    const consent = consentRow({
      id: this.ids.next(),
      userId,
      kind: 'accepted',
      at,
      context: 'application',
      acceptance,
    });
    const { username } = state;
    const application = { ...data, id: this.ids.next(), creatorId, userId, username, at, consent };
    if (!(await this.applicants.add(application))) {
      // Another tab was first, or the account was closed meanwhile.
      decideApplication(await this.applicants.find(userId, data.instagram), at);
      throw alreadyApplied();
    }
    return { creatorId, username, status: 'pending' };
  }
}

/** The refusal of an address that the identity provider has not verified as the caller's. */
export function notYourAddress(): DomainError {
  return new DomainError('forbidden', 'The email must be the verified email address of your account.');
}
