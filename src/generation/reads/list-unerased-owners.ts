import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type GenerationTables } from '../tables.js';

/** The users among these, all of closed accounts, who still have a prompt, an image, a refusal or a note. */
export class ListUnerasedOwners extends QueryOf<{ readonly userIds: readonly string[] }, readonly string[]> {}

@QueryHandler(ListUnerasedOwners)
export class ListUnerasedOwnersHandler extends ReadHandler<GenerationTables, ListUnerasedOwners> {
  async execute({ input: { userIds } }: ListUnerasedOwners): Promise<readonly string[]> {
    // With a limit, each is answered from an index. As `exists` they may be hashed, which reads whole tables.
    const { rows } = await sql<{ user_id: string }>`
      select user_id from unnest(${[...userIds]}::text[]) as closed (user_id)
      where (select true from generation g where g.user_id = closed.user_id
          and (g.status = 'pending' or g.deleted_at is null or g.prompt <> '' or g.image is not null
            or g.output_url is not null or g.test_note is not null or g.moderation_note <> '') limit 1)
        or (select true from moderation_decision d where d.maker_id = closed.user_id limit 1)
        or (select true from generation_suspension s where s.user_id = closed.user_id limit 1)
        or (select true from moderation_refusal r where r.user_id = closed.user_id limit 1)
        or (select true from generation_report r where r.user_id = closed.user_id and r.note <> '' limit 1)
        or (select true from generation g join generation_report r on r.generation_id = g.id
          where g.user_id = closed.user_id and r.prompt <> '' limit 1)`.execute(this.db);
    return rows.map((row) => row.user_id);
  }
}
