import { type Selectable } from 'kysely';
import { inPages } from '../../../platform/database/in-pages.js';
import { type GenerationReportTable, type ModerationRefusalTable } from '../../../generation/tables.js';
import { wireFields } from '../../../platform/wire-fields.js';
import { type PersonalTables, ROWS_PER_READ } from '../personal-tables.js';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type Refusal = Omit<Selectable<ModerationRefusalTable>, 'user_id'>;
type Report = Pick<
  Selectable<GenerationReportTable>,
  'id' | 'generation_id' | 'creator_id' | 'reason' | 'note' | 'created_at' | 'resolved_at' | 'resolution'
>;

/** Prompts of a person that the rules refused. Oldest first. */
export function readRefusedPrompts(db: PersonalTables, userId: string): AsyncGenerator<readonly object[]> {
  return inPages<Refusal>(ROWS_PER_READ, (last, limit) =>
    db
      .selectFrom('moderation_refusal')
      .select(['id', 'creator_id', 'category', 'prompt', 'created_at'])
      .where('user_id', '=', userId)
      .where('id', '>', last?.id ?? FIRST_ID)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
}

/**
 * Reports that a person made. Oldest first. The prompt of the reported image is another person's. Reports about the
 * person's own images are not in the archive either: they would reveal who reported.
 */
export function readOwnReports(db: PersonalTables, userId: string): AsyncGenerator<readonly object[]> {
  return inPages<Report>(ROWS_PER_READ, (last, limit) =>
    db
      .selectFrom('generation_report')
      .select(['id', 'generation_id', 'creator_id', 'reason', 'note', 'created_at', 'resolved_at', 'resolution'])
      .where('user_id', '=', userId)
      .where('id', '>', last?.id ?? FIRST_ID)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
}

/** The suspension of a person, and the taken-down images that count against them. */
export async function readSanctions(
  db: PersonalTables,
  userId: string,
): Promise<{ readonly suspension: object | null; readonly strikes: readonly object[] }> {
  const suspension = await db
    .selectFrom('generation_suspension')
    .select(['since', 'until', 'reason', 'causes'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const strikes = await db
    .selectFrom('generation_strike')
    .select(['generation_id', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const causes = suspension?.causes.map((cause) => wireFields(cause, ['since', 'until', 'reason']));
  return { suspension: suspension ? { ...suspension, causes } : null, strikes };
}
