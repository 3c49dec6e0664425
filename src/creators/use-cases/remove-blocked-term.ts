import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';

/**
 * Allows a blocked word or phrase again, and deletes its counts.
 * @throws DomainError notFound when the creator that the user is does not block it
 */
export class RemoveBlockedTerm extends CommandOf<{ readonly userId: string; readonly termId: string }, void> {}

@CommandHandler(RemoveBlockedTerm)
export class RemoveBlockedTermHandler implements ICommandHandler<RemoveBlockedTerm> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { userId, termId } }: RemoveBlockedTerm): Promise<void> {
    const { numDeletedRows } = await this.db
      .deleteFrom('creator_blocked_term')
      .where('id', '=', termId)
      .where('creator_id', 'in', (select) => select.selectFrom('creator').select('id').where('clerk_id', '=', userId))
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw new DomainError('notFound', CONTROL_MESSAGES.blockedTermNotFound);
  }
}
