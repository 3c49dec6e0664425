import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type ModerationRefusal } from '../../contract/generation.js';
import { DATABASE } from '../../platform/database/database.js';
import { PROVIDER_VERDICT } from '../messages.js';
import { type GenerationTables } from '../tables.js';

/** A page of refused prompts for admins, the newest first: refused by our rules, or by the provider after the start. */
export class ListModerationRefusals extends Query<ModerationRefusal[]> {
  constructor(readonly input: { readonly limit: number; readonly offset: number }) {
    super();
  }
}

@QueryHandler(ListModerationRefusals)
export class ListModerationRefusalsHandler implements IQueryHandler<ListModerationRefusals> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

  async execute({ input: { limit, offset } }: ListModerationRefusals): Promise<ModerationRefusal[]> {
    const upTo = limit + offset;
    // The inner queries order by qualified columns, which have indexes. A bare `id` would name the selected text.
    const { rows } = await sql<Omit<ModerationRefusal, 'created_at'> & { created_at: Date }>`
      select * from (
        (select id::text, 'rules' as source, category, user_id, creator_id, prompt, created_at
         from moderation_refusal as own order by own.created_at desc, own.id desc limit ${upTo})
        union all
        (select id::text, 'provider', 'sexual', user_id, creator_id, prompt, updated_at
         from generation as other
         where refund_reason = 'fatal_error' and error_message ~* ${PROVIDER_VERDICT.source}
         order by other.updated_at desc, other.id desc limit ${upTo})
      ) as refusal
      order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(this.db);
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }
}
