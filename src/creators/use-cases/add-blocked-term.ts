import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { BLOCKED_TERMS_MAX, CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { type BlockedTerm } from '../../contract/creators.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { parseBlockedTerm } from '../blocked-term.js';
import { type CreatorTables } from '../tables.js';

/**
 * Blocks a word or phrase in prompts for the creator that a user is. It holds for prompts from then on.
 * @throws DomainError unprocessable for a malformed one, conflict for a known one and at the limit, forbidden for fans
 */
export class AddBlockedTerm extends CommandOf<{ readonly userId: string; readonly term: string }, BlockedTerm> {}

@CommandHandler(AddBlockedTerm)
export class AddBlockedTermHandler implements ICommandHandler<AddBlockedTerm> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input }: AddBlockedTerm): Promise<BlockedTerm> {
    const { term, key } = parseBlockedTerm(input.term);
    const id = this.ids.next();
    const addedAt = this.clock.now();
    return this.db.transaction().execute(async (trx) => {
      // Calls of one creator wait for each other here, so that two cannot both take the last place.
      const creator = await trx
        .selectFrom('creator')
        .select('id')
        .where('clerk_id', '=', input.userId)
        .where('creator_status', '=', 'active')
        .where('closed_at', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (!creator) throw new DomainError('forbidden', CONTROL_MESSAGES.notCreator);
      // A statement of its own, so that it sees the terms of a call that this one has waited for.
      const { rows } = await sql<{ count: number; known: boolean }>`
        with stored as (
          select count(*)::int as count, coalesce(bool_or(term_key = ${key}), false) as known
          from creator_blocked_term where creator_id = ${creator.id}::uuid
        ),
        added as (
          insert into creator_blocked_term (id, creator_id, term, term_key, added_at)
          select ${id}::uuid, ${creator.id}::uuid, ${term}, ${key}, ${addedAt}::timestamptz
          from stored where count < ${BLOCKED_TERMS_MAX} and not known
        )
        select count, known from stored`.execute(trx);
      const { count = 0, known = false } = rows[0] ?? {};
      if (known) throw new DomainError('conflict', CONTROL_MESSAGES.blockedTermKnown, { code: '23505' });
      if (count >= BLOCKED_TERMS_MAX) {
        throw new DomainError('conflict', CONTROL_MESSAGES.blockedTermsFull, { code: '55000' });
      }
      return { id, term, added_at: addedAt.toISOString(), stopped: 0 };
    });
  }
}
