import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { monthOf } from '../blocked-term.js';
import { type CreatorTables } from '../tables.js';

/** Counts a prompt that a blocked word or phrase has stopped. The prompt is not stored. */
export class CountBlockedPrompt extends CommandOf<{ readonly termId: string }, void> {}

@CommandHandler(CountBlockedPrompt)
export class CountBlockedPromptHandler implements ICommandHandler<CountBlockedPrompt> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { termId } }: CountBlockedPrompt): Promise<void> {
    // Selected, because the creator may have removed the term meanwhile.
    await sql`
      insert into creator_blocked_stop (term_id, month, stopped)
      select id, ${monthOf(this.clock.now())}, 1 from creator_blocked_term where id = ${termId}::uuid for key share
      on conflict (term_id, month) do update set stopped = creator_blocked_stop.stopped + 1`.execute(this.db);
  }
}
