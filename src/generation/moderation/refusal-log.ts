import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { IdGenerator } from '../../platform/ids.js';
import { type GenerationTables } from '../tables.js';
import { type ModerationCategory } from './prompt-moderator.js';

/** Refused prompts are deleted after this. */
const KEPT_DAYS = 90;

/** Stores the prompts that our rules refused, for admins. */
@Injectable()
export class RefusalLog {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /** Stores a refused prompt and deletes the expired ones in one statement. */
  async record(refusal: {
    readonly userId: string;
    readonly creatorId: string;
    readonly category: ModerationCategory;
    readonly prompt: string;
  }): Promise<void> {
    const now = this.clock.now();
    const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
    await this.db
      .with('expired', (db) => db.deleteFrom('moderation_refusal').where('created_at', '<', oldest))
      .insertInto('moderation_refusal')
      .values({
        id: this.ids.next(),
        user_id: refusal.userId,
        creator_id: refusal.creatorId,
        category: refusal.category,
        prompt: refusal.prompt,
        created_at: now,
      })
      .execute();
  }
}
