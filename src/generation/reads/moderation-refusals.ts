import { Inject, Injectable } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { IdGenerator } from '../../platform/ids.js';
import { type GenerationTables } from '../tables.js';
import { type ModerationRefusal } from '../../contract/generation.js';
import { type ModerationCategory } from '../moderation/prompt-moderator.js';

/** Refused prompts are deleted after this. */
const KEPT_DAYS = 90;

/** What was refused, for admins: by our own rules before the start, or by the provider after it. */
@Injectable()
export class ModerationRefusals {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /** Keeps a refused prompt, and deletes those that are past their time; one statement. */
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

  /** The newest first, of both kinds. */
  async page(limit: number, offset: number): Promise<ModerationRefusal[]> {
    const upTo = limit + offset;
    // Inside, ordered by the columns of the tables, which have indexes: a bare `id` would be the text that is selected.
    const { rows } = await sql<Omit<ModerationRefusal, 'created_at'> & { created_at: Date }>`
      select * from (
        (select id::text, 'rules' as source, category, user_id, creator_id, prompt, created_at
         from moderation_refusal as own order by own.created_at desc, own.id desc limit ${upTo})
        union all
        (select id::text, 'provider', 'sexual', user_id, creator_id, prompt, updated_at
         from generation as other
         where refund_reason = 'fatal_error' and error_message ~* ${PROVIDER_VERDICT}
         order by other.updated_at desc, other.id desc limit ${upTo})
      ) as refusal
      order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(this.db);
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }
}

/** Words by which the provider's own check is recognised (fan spec, section 4, rule 10). */
const PROVIDER_VERDICT = 'nsfw|explicit|inappropriate';
