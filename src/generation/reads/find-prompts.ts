import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { anyPattern, readPromptText } from '../prompts/search-term.js';
import { type GenerationTables } from '../tables.js';

/** A text in so many of the newest generations is common. */
const PROBE = { generations: 1_000, matches: 5 } as const;

/** Most generations that the index of prompts gives. */
const MAX_FOUND = 5_000;

/**
 * Ids of all generations whose prompt contains a rare text, in no order, 5,000 at most. Null for a text that the newest
 * generations often contain, and for one without three ASCII letters or digits in a row, which the index of prompts
 * cannot find. They may be hidden, and their owners may have left: read them with `GetGenerations`.
 */
export class FindPrompts extends QueryOf<{ readonly text: string }, readonly string[] | null> {}

@QueryHandler(FindPrompts)
export class FindPromptsHandler extends ReadHandler<GenerationTables, FindPrompts> {
  async execute({ input: { text } }: FindPrompts): Promise<readonly string[] | null> {
    const search = readPromptText(text);
    if (!search.indexed) return null;
    const { matches, indexed } = anyPattern(search);
    // The limit is outside of `found`: inside, the planner would rather read the table until it has enough matches.
    const { rows } = await sql<{ readonly common: boolean; readonly id: string | null }>`
      with probe as materialized (
        select count(*) >= ${sql.lit(PROBE.matches)} as common from (
          select prompt from generation order by id desc limit ${sql.lit(PROBE.generations)}
        ) as newest where ${matches}
      ),
      found as materialized (
        select id from generation
        where credits_closed_at is not null and deleted_at is null and not is_test and ${indexed}
          and not (select common from probe)
      )
      select probe.common, page.id from probe left join (
        select id from found limit ${sql.lit(MAX_FOUND)}
      ) as page on true`.execute(this.db);
    if (rows[0]?.common === true) return null;
    return rows.flatMap(({ id }) => id ?? []);
  }
}
