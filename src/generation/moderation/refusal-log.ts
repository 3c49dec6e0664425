import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
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

  /** Stores a refused prompt, unless the account is closed, and deletes the expired ones. One statement. */
  async record(refusal: {
    readonly userId: string;
    readonly creatorId: string;
    readonly category: ModerationCategory;
    readonly prompt: string;
  }): Promise<void> {
    const now = this.clock.now();
    const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
    await sql`
      with expired as (
        delete from moderation_refusal where created_at < ${oldest}::timestamptz returning id
      ),
      closed as (
        delete from moderation_case where kind = 'refusal' and id in (select id from expired)
      ),
      refused as (
        insert into moderation_refusal (id, user_id, creator_id, category, prompt, created_at)
        select ${this.ids.next()}::uuid, ${refusal.userId}::text, ${refusal.creatorId}::text,
          ${refusal.category}::text, ${refusal.prompt}::text, ${now}::timestamptz
        where not exists (select from generation_closed_owner where user_id = ${refusal.userId})
        returning *
      )
      insert into moderation_case (kind, id, creator_id, maker_id, reason, rank, opened_at)
      select 'refusal', id, creator_id, user_id, category, 2, created_at from refused`.execute(this.db);
  }
}
