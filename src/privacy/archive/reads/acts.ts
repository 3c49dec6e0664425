import { sql } from 'kysely';
import { inPages } from '../../../platform/database/in-pages.js';
import { type ActKind } from '../../../contract/acts.js';
import { type PersonalTables, ROWS_PER_READ } from '../personal-tables.js';

/** Records of the product that fix rows: the archive has the rows themselves. */
const RECORDS: readonly ActKind[] = ['consent.recorded', 'payout_details.saved', 'gallery.changed'];

interface Row {
  readonly number: number;
  readonly kind: string;
  readonly at: Date;
  readonly reason: string | null;
}

/** Acts of admins about a person. Oldest first. Admins and their addresses are other people's data. */
export async function* readActsAbout(
  db: PersonalTables,
  { userId, creatorId }: { readonly userId: string; readonly creatorId: string | null },
): AsyncGenerator<readonly object[]> {
  const pages = inPages<Row>(ROWS_PER_READ, async (last, limit) => {
    const { rows } = await sql<Row>`
      select act.number, act.kind, to_timestamp(act.at_ms / 1000.0) as at, personal.reason from admin_act act
      left join admin_act_personal personal on personal.act_id = act.id
      where act.closes is null and act.kind <> all(${RECORDS}::text[]) and act.number > ${last?.number ?? 0} and act.id in (
        select id from admin_act where user_id = ${userId}
        union select id from admin_act where subject_id = ${userId}
        union select id from admin_act where creator_id = ${creatorId}
      ) order by act.number limit ${limit}`.execute(db);
    return rows;
  });
  for await (const rows of pages) yield rows.map(({ number: _number, ...row }) => row);
}
