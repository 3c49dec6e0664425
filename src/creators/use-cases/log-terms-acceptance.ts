import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { v5 } from 'uuid';
import { CLOSING_MESSAGES } from '../../contract/closing.js';
import { IsVerifiedAddress } from '../../identity/index.js';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { consentRow } from '../consent.js';
import { type CreatorTables } from '../tables.js';
import { readTermsLog, type TermsLog } from '../terms-log.js';
import { storeAcceptance } from '../withdrawal.js';
import { notYourAddress } from './create-creator.js';

/** Namespace of the ids of logged acceptances. */
const ACCEPTANCES = '0f0b6a52-6a53-4a0e-9f0a-0a3b6d9f5c11';

/**
 * Records that a creator has accepted the present terms. When the last act of consent is already an acceptance of this
 * version, nothing is stored. A withdrawn consent is given again in the same statement, which opens the page.
 * @returns the id of the acceptance
 * @throws DomainError for an invalid log, another user's id or address, and a user without an application
 */
export class LogTermsAcceptance extends CommandOf<
  {
    readonly userId: string;
    readonly log: TermsLog;
    /** The request's header, for a log without one. */
    readonly userAgent: string | undefined;
  },
  string
> {}

@CommandHandler(LogTermsAcceptance)
export class LogTermsAcceptanceHandler implements ICommandHandler<LogTermsAcceptance> {
  constructor(
    @Inject(DATABASE) readonly db: Kysely<CreatorTables>,
    readonly acts: Acts,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { userId, log, userAgent } }: LogTermsAcceptance): Promise<string> {
    const { version, ...acceptance } = readTermsLog(log, { userId, userAgent });
    if (!(await this.queries.execute(new IsVerifiedAddress({ userId, email: acceptance.email }))))
      throw notYourAddress();
    const creator = await this.creatorOf(userId);
    if (!creator) throw new DomainError('notFound', 'You have no creator application.');
    const isAccepted = creator.last_kind === 'accepted' && creator.last_version === version;
    if (isAccepted && creator.withdrawn_at === null) return creator.last_id ?? '';
    // The id follows from the act before, so two tabs at once record one acceptance.
    const id = v5([userId, version, creator.last_id ?? ''].join(' '), ACCEPTANCES);
    const at = this.clock.now();
    const act = consentRow({ id, userId, kind: 'accepted', at, context: 'terms_page', acceptance });
    if (await storeAcceptance(this, act)) return id;
    throw new DomainError('conflict', CLOSING_MESSAGES.closing, { code: '55000' });
  }

  /** The creator that a user is, with the last acceptance or withdrawal. */
  private creatorOf(userId: string) {
    return this.db
      .selectFrom('creator')
      .leftJoinLateral(
        (from) =>
          from
            .selectFrom('creator_consent')
            .select(['id', 'kind', 'terms_version'])
            .whereRef('creator_consent.clerk_id', '=', 'creator.clerk_id')
            .where('kind', 'in', ['accepted', 'withdrawn'])
            .orderBy('number', 'desc')
            .limit(1)
            .as('last'),
        (join) => join.onTrue(),
      )
      .select(['creator.id', 'creator.withdrawn_at'])
      .select(['last.id as last_id', 'last.kind as last_kind', 'last.terms_version as last_version'])
      .where('creator.clerk_id', '=', userId)
      .executeTakeFirst();
  }
}
