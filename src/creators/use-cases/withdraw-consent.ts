import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { storedUserAgent } from '../consent.js';
import { requireOwnCreator } from '../own-creator.js';
import { type CreatorTables } from '../tables.js';
import { storeWithdrawal } from '../withdrawal.js';

/**
 * Withdraws the consent of the creator that a user is. Returns since when it is withdrawn; repeating it changes
 * nothing.
 * @throws DomainError unprocessable unless `confirmation` is the creator's name, forbidden for fans
 */
export class WithdrawConsent extends CommandOf<
  { readonly userId: string; readonly confirmation: string; readonly userAgent: string | undefined },
  Date
> {}

@CommandHandler(WithdrawConsent)
export class WithdrawConsentHandler implements ICommandHandler<WithdrawConsent> {
  constructor(
    @Inject(DATABASE) readonly db: Kysely<CreatorTables>,
    readonly acts: Acts,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input: { userId, confirmation, userAgent } }: WithdrawConsent): Promise<Date> {
    const { name } = await requireOwnCreator(this.db, userId);
    if (comparable(confirmation) !== comparable(name)) {
      throw new DomainError('unprocessable', CONTROL_MESSAGES.confirmation(name), { code: '22023' });
    }
    const stored = await storeWithdrawal(this, {
      userId,
      at: this.clock.now(),
      consentId: this.ids.next(),
      taskId: this.ids.next(),
      userAgent: storedUserAgent(userAgent),
      closing: false,
    });
    if (!stored) throw new DomainError('forbidden', CONTROL_MESSAGES.notCreator);
    return stored.withdrawnAt;
  }
}

/** A name without its capitals and surrounding spaces. */
function comparable(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();
}
