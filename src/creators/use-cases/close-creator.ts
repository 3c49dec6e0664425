import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { storedUserAgent } from '../consent.js';
import { deletePortraitFiles } from '../portrait-files.js';
import { type CreatorTables } from '../tables.js';
import { storeWithdrawal } from '../withdrawal.js';

/**
 * Withdraws the creator whose account is being closed, permanently: nothing of them is public from then on, no
 * generation starts, the portrait's addresses stop answering, and the user cannot apply any more. An earlier withdrawal
 * keeps its time. An application that was being stored meanwhile is withdrawn when the command is repeated, as the
 * closing does. Returns the creator's id; null for fans.
 */
export class CloseCreator extends CommandOf<{ readonly userId: string }, string | null> {}

@CommandHandler(CloseCreator)
export class CloseCreatorHandler implements ICommandHandler<CloseCreator> {
  private readonly logger = new Logger(CloseCreatorHandler.name);

  constructor(
    @Inject(DATABASE) readonly db: Kysely<CreatorTables>,
    readonly acts: Acts,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
    private readonly storage: FileStorage,
  ) {}

  async execute({ input: { userId } }: CloseCreator): Promise<string | null> {
    const stored = await storeWithdrawal(this, {
      userId,
      at: this.clock.now(),
      consentId: this.ids.next(),
      taskId: this.ids.next(),
      userAgent: storedUserAgent(undefined),
      closing: true,
    });
    if (!stored) return null;
    const { creatorId, profile } = stored;
    // The row keeps the names of the files until the erasure, which deletes what could not be deleted here.
    await deletePortraitFiles(this.storage, profile).catch((error: unknown) => {
      const message = 'The portrait of a closed creator could not be deleted; the erasure retries it.';
      this.logger.error({ message, creatorId, error });
    });
    return creatorId;
  }
}
