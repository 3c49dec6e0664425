import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { IdGenerator } from '../../platform/ids.js';
import { storedUserAgent } from '../consent.js';
import { type CreatorTables } from '../tables.js';
import { storeWithdrawal } from '../withdrawal.js';

/**
 * Withdraws the creator whose account is being closed, permanently: nothing of them is public from then on, no
 * generation starts, and the user cannot apply any more. An earlier withdrawal keeps its time. An application that was
 * being stored meanwhile is withdrawn when the command is repeated, as the closing does. Returns the creator's id; null
 * for fans.
 */
export class CloseCreator extends Command<string | null> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

@CommandHandler(CloseCreator)
export class CloseCreatorHandler implements ICommandHandler<CloseCreator> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input: { userId } }: CloseCreator): Promise<string | null> {
    const stored = await storeWithdrawal(this.db, {
      userId,
      at: this.clock.now(),
      consentId: this.ids.next(),
      taskId: this.ids.next(),
      userAgent: storedUserAgent(undefined),
      closing: true,
    });
    return stored?.creatorId ?? null;
  }
}
