import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';

/**
 * Withdraws the creator whose account is being closed: nothing of them is public from then on, no generation starts,
 * and the user cannot apply any more. The first withdrawal keeps its time. An application that was being stored
 * meanwhile is withdrawn when the command is repeated, as the closing does. Returns the creator's id; null for fans.
 */
export class WithdrawCreator extends Command<string | null> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

@CommandHandler(WithdrawCreator)
export class WithdrawCreatorHandler implements ICommandHandler<WithdrawCreator> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { userId } }: WithdrawCreator): Promise<string | null> {
    const now = this.clock.now();
    const row = await this.db
      .with('applicant', (db) =>
        db
          .insertInto('creator_applicant')
          .values({ clerk_id: userId, closed_at: now })
          .onConflict((conflict) =>
            conflict
              .column('clerk_id')
              .doUpdateSet({ closed_at: now })
              .where('creator_applicant.closed_at', 'is', null),
          ),
      )
      .updateTable('creator')
      .set({ is_visible: false, withdrawn_at: sql<Date>`coalesce(withdrawn_at, ${now}::timestamptz)`, updated_at: now })
      .where('clerk_id', '=', userId)
      .returning('id')
      .executeTakeFirst();
    return row?.id ?? null;
  }
}
