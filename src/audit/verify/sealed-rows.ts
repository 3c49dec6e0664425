import { type Pool } from 'pg';
import { type ActKind } from '../../contract/acts.js';
import { SEALED_CONSENT, SEALED_DECISION, SEALED_PAYOUT_DETAILS } from '../../creators/index.js';
import { SEALED_BANK_REPORT } from '../../finance/index.js';
import { SEALED_GALLERY } from '../../gallery/index.js';
import { hashOfRow, nameOfRow, type SealedTable } from '../../platform/acts/sealed-rows.js';
import { inPages } from '../../platform/database/in-pages.js';
import { SEALED_RUN } from '../runs/verification-runs.js';
import { ACT_LOG, actsDueFrom } from './act-rows.js';
import { REPORTED_PER_CHECK, type Report } from './problem-reports.js';

/** Rows read at once. The rows of files of the bank are long. */
const ROWS_PER_READ = 200;

/** A table whose rows have salted hashes in acts. */
interface ActSealed {
  readonly sealed: SealedTable;
  /** A row in problems, and rows that are not covered. */
  readonly name: string;
  readonly names: string;
  /** SQL: the rows with their columns. `t` may be used in it. */
  readonly from: string;
  /** SQL of `t`: when the row was made. */
  readonly at: string;
  /** Kinds of the acts, and SQL that finds those on a row `t`, by an index. */
  readonly kinds: readonly ActKind[];
  readonly acts: string;
  /** SQL of `t`: the texts and the salt were erased, as the product does it. */
  readonly erased?: string;
  /** The product never deletes a row. */
  readonly stays?: true;
}

const SEALED: readonly ActSealed[] = [
  {
    sealed: SEALED_CONSENT,
    name: 'act of consent',
    names: 'acts of consent',
    from: 'creator_consent t',
    at: 't.at',
    kinds: ['consent.recorded'],
    acts: 'a.user_id = t.clerk_id',
    stays: true,
  },
  {
    sealed: SEALED_DECISION,
    name: 'decision about a creator',
    names: 'decisions about creators',
    from: 'creator_decision t',
    at: 't.decided_at',
    kinds: [
      ...(['application.approved', 'application.rejected', 'model.assigned', 'creator.archived'] as const),
      ...(['creator.unarchived', 'creator.featured', 'creator.unfeatured'] as const),
    ],
    acts: 'a.creator_id = t.creator_id::text',
    erased: `coalesce(t.reason, t.identity_verified, t.age_verified, t.instagram_verified) is null
      and exists (select from creator c where c.id = t.creator_id and c.closed_at is not null)`,
    stays: true,
  },
  {
    sealed: SEALED_PAYOUT_DETAILS,
    name: 'payout details of creator',
    names: 'payout details',
    from: 'creator_payout_details t',
    at: 't.changed_at',
    kinds: ['payout_details.saved'],
    acts: 'a.creator_id = t.creator_id::text',
  },
  {
    sealed: SEALED_BANK_REPORT,
    name: 'file of the bank',
    names: 'files of the bank',
    from: `(select r.*, (
        select json_agg(json_build_array(line, payout_id, amount_cents, bank_reference, paid_on) order by line)
        from bank_report_line l where l.report_id = r.id
      ) as lines from bank_report r) t`,
    at: 't.recorded_at',
    kinds: ['payout.recorded'],
    acts: 'a.subject_id = t.id',
    stays: true,
  },
  {
    sealed: SEALED_GALLERY,
    name: 'gallery of creator',
    names: 'galleries',
    from: `(select g.*, array(
        select generation_id::text from gallery_item i where i.creator_id = g.creator_id order by place
      ) as images from gallery g) t`,
    at: 't.updated_at',
    kinds: ['gallery.saved', 'gallery.added', 'gallery.removed', 'gallery.reordered', 'gallery.changed'],
    acts: 'a.creator_id = t.creator_id::text',
    stays: true,
  },
  {
    sealed: SEALED_RUN,
    name: 'verification',
    names: 'verifications',
    from: '(select * from verification_run where ended_at is not null) t',
    at: 't.ended_at',
    kinds: ['ledger.verified'],
    acts: 'a.subject_id = t.id::text',
  },
];

/** The rows that no hash covers because they were made before there were hashes. */
export interface UncoveredRows {
  /** By the name of such rows. */
  readonly rows: Readonly<Record<string, number>>;
  /** Number of the first entry of the log of acts that fixes rows; null before it. */
  readonly before: number | null;
}

/** All that is not covered, by name. */
export function uncoveredOf(summary: {
  readonly uncovered: UncoveredRows;
  readonly uncoveredImages: number;
}): [name: string, rows: number][] {
  const images = summary.uncoveredImages;
  return [
    ...Object.entries(summary.uncovered.rows),
    ...(images > 0 ? [['images with their prompts', images] as [string, number]] : []),
  ];
}

interface FoundRow extends Readonly<Record<string, unknown>> {
  readonly row_id: string;
  readonly row_salt: string | null;
  readonly is_new: boolean;
  readonly is_erased: boolean;
  readonly act: number | null;
  readonly act_hash: string | null;
}

/**
 * Compares rows that people rely on with the salted hashes of them in the log of acts. The last act about a row counts.
 * Rows that were made before the first such act have no hash: they are counted, and are no problem. Memory does not
 * depend on the number of rows.
 */
export async function compareSealedRows(pool: Pool, report: Report): Promise<UncoveredRows> {
  const { rows: first } = await pool.query<{ number: number; at: number }>(
    `select number, at_ms::float8 as at from admin_act
     where kind = any($1) and body::jsonb ? 'rows' order by number limit 1`,
    [['log.opened', ...SEALED.flatMap(({ kinds }) => kinds)]],
  );
  const dueFrom = first[0] ? new Date(actsDueFrom(first[0].at)) : null;
  const uncovered: Record<string, number> = {};
  for (const table of SEALED) {
    let named = 0;
    const problem = (version: number | null, sentence: string): void => {
      if ((named += 1) <= REPORTED_PER_CHECK) report({ stream: ACT_LOG, version, kind: 'act', what: sentence });
    };
    for await (const row of rowsOf(pool, table, dueFrom)) {
      const sentence = problemOf(table, row);
      if (sentence === 'uncovered') uncovered[table.names] = (uncovered[table.names] ?? 0) + 1;
      else if (sentence !== null) problem(row.act, `The ${table.name} ${row.row_id} ${sentence}`);
    }
    if (table.stays) for (const { number, what: sentence } of await lostRows(pool, table)) problem(number, sentence);
  }
  return { rows: uncovered, before: first[0]?.number ?? null };
}

/** The problem of a row, as the end of a sentence; null when it is as its act fixed it. */
function problemOf({ sealed }: ActSealed, row: FoundRow): string | null {
  const { row_salt: salt, act, act_hash: hash } = row;
  if (hash === null && salt === null && !row.is_new) return 'uncovered';
  if (hash === null) return 'has no act that fixes it.';
  if (salt === null) return row.is_erased ? null : `has lost the salt of its hash in entry ${act}.`;
  return hashOfRow(sealed, row, salt) === hash ? null : `differs from the one that entry ${act} fixed.`;
}

async function* rowsOf(pool: Pool, table: ActSealed, dueFrom: Date | null): AsyncGenerator<FoundRow> {
  const { sealed, from, at, kinds, acts, erased = 'false' } = table;
  const name = `concat('${sealed.table}/', t.${sealed.id})`;
  const pages = inPages<FoundRow>(ROWS_PER_READ, async (last, limit) => {
    const { rows } = await pool.query<FoundRow>(
      `select ${sealed.columns.map((column) => `t.${column}`).join(', ')}, t.${sealed.id}::text as row_id,
         t.salt as row_salt, coalesce(${at} >= $1, false) as is_new, ${erased} as is_erased, s.number as act, s.hash as act_hash
       from ${from} left join lateral (
         select a.number, a.body::jsonb -> 'rows' ->> ${name} as hash from admin_act a
         where ${acts} and a.kind = any($2) and a.closes is null and a.body::jsonb -> 'rows' ? ${name}
         order by a.number desc limit 1
       ) as s on true
       ${last ? `where t.${sealed.id} > $3` : ''} order by t.${sealed.id} limit ${limit}`,
      [dueFrom, kinds, ...(last ? [last.row_id] : [])],
    );
    return rows;
  });
  for await (const rows of pages) yield* rows;
}

/** Rows that acts have fixed and that are gone. */
async function lostRows(pool: Pool, { sealed, name, kinds }: ActSealed): Promise<{ number: number; what: string }[]> {
  const { rows } = await pool.query<{ number: number; id: string }>(
    `select a.number, split_part(row.name, '/', 2) as id
     from admin_act a cross join lateral jsonb_object_keys(a.body::jsonb -> 'rows') as row (name)
     where a.kind = any($1) and a.closes is null and a.body::jsonb ? 'rows' and starts_with(row.name, $2)
       and not exists (select from ${sealed.table} t where t.${sealed.id}::text = split_part(row.name, '/', 2))
     order by a.number limit ${REPORTED_PER_CHECK}`,
    [kinds, nameOfRow(sealed, '')],
  );
  return rows.map(({ number, id }) => ({ number, what: `The ${name} ${id} is gone, and entry ${number} fixed it.` }));
}
