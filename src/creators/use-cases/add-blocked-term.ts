import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { BLOCKED_TERMS_MAX, CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { type BlockedTerm } from '../../contract/creators.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { parseBlockedTerm } from '../blocked-term.js';
import { type CreatorTables } from '../tables.js';

/**
 * Blocks a word or phrase in prompts for the creator that a user is. It holds for prompts from then on.
 * @throws DomainError unprocessable for a malformed one, conflict for a known one and at the limit, forbidden for fans
 */
export class AddBlockedTerm extends Command<BlockedTerm> {
  constructor(readonly input: { readonly userId: string; readonly term: string }) {
    super();
  }
}

@CommandHandler(AddBlockedTerm)
export class AddBlockedTermHandler implements ICommandHandler<AddBlockedTerm> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input }: AddBlockedTerm): Promise<BlockedTerm> {
    const { term, key } = parseBlockedTerm(input.term);
    const row = { id: this.ids.next(), term, term_key: key, added_at: this.clock.now() };
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
      const { count } = await trx
        .selectFrom('creator_blocked_term')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('creator_id', '=', creator.id)
        .executeTakeFirstOrThrow();
      if (count >= BLOCKED_TERMS_MAX) {
        throw new DomainError('conflict', CONTROL_MESSAGES.blockedTermsFull, { code: '55000' });
      }
      const inserted = await trx
        .insertInto('creator_blocked_term')
        .values({ ...row, creator_id: creator.id })
        .onConflict((conflict) => conflict.columns(['creator_id', 'term_key']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!inserted) throw new DomainError('conflict', CONTROL_MESSAGES.blockedTermKnown, { code: '23505' });
      return { id: row.id, term, added_at: row.added_at.toISOString(), stopped: 0 };
    });
  }
}
