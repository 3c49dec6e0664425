import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DAY_MS } from '../../contract/durations.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { IdGenerator } from '../../platform/ids.js';
import { type GenerationTables } from '../tables.js';
import { type ModerationCategory } from './prompt-moderator.js';

/** Refused prompts are deleted after this. The privacy policy promises it. */
const KEPT_DAYS = 90;

/** The prompts that our rules refused, for admins, and the end of all refused prompts. */
@Injectable()
export class RefusalLog {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /** Stores a refused prompt, unless the account is closed. One statement. */
  async record(refusal: {
    readonly userId: string;
    readonly creatorId: string;
    readonly category: ModerationCategory;
    readonly prompt: string;
  }): Promise<void> {
    const now = this.clock.now();
    await sql`
      with refused as (
        insert into moderation_refusal (id, user_id, creator_id, category, prompt, created_at)
        select ${this.ids.next()}::uuid, ${refusal.userId}::text, ${refusal.creatorId}::text,
          ${refusal.category}::text, ${refusal.prompt}::text, ${now}::timestamptz
        where not exists (select from generation_closed_owner where user_id = ${refusal.userId})
        returning *
      )
      insert into moderation_case (kind, id, creator_id, maker_id, reason, rank, opened_at)
      select 'refusal', id, creator_id, user_id, category, 2, created_at from refused`.execute(this.db);
  }

  /**
   * Deletes refused prompts at the end of their term, with their cases. A prompt that the provider's own check refused
   * is in its generation, and is erased there. One statement, at most `limit` of each kind.
   */
  async deleteExpired(limit: number): Promise<void> {
    const now = this.clock.now();
    const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
    await sql`
      with own as (
        delete from moderation_refusal where id in (
          select id from moderation_refusal where created_at < ${oldest}::timestamptz order by created_at limit ${limit})
        returning id
      ),
      providers as (
        select id from moderation_case
        where kind = 'refusal' and generation_id is not null and opened_at < ${oldest}::timestamptz
        order by opened_at limit ${limit}
      ),
      erased as (
        update generation set prompt = ''
        where id in (select id from providers) and prompt <> ''
      )
      delete from moderation_case
      where kind = 'refusal' and id in (select id from own union all select id from providers)`.execute(this.db);
  }
}
