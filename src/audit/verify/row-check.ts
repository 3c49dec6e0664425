import { type Pool } from 'pg';
import { ACT_LOG, allActsDueFrom } from './act-rows.js';
import { REPORTED_PER_CHECK, type Report } from './problem-reports.js';

/** A column of a row, and SQL for the value that it has and the one that is expected. */
type Field = readonly [name: string, found: string, expected: string];

/** Rows that acts repeat: each column is computed again from the act that made it. */
interface RepeatedRows {
  /** SQL for the name of a row in a sentence. */
  readonly about: string;
  /** SQL: the rows, each joined with its act `a`. */
  readonly from: string;
  /** SQL. May use `$1`, the time from which rows must have acts. */
  readonly where: string;
  readonly fields: readonly Field[];
}

/** SQL of the act of a kind on a subject. Values are compared as texts: a forged one must not stop the check. */
const actOn = (alias: string, kind: string, subject: string): string =>
  `${alias}.kind = ${kind} and ${alias}.subject_id = ${subject} and ${alias}.closes is null`;
const after = (alias: string, field: string): string => `${alias}.body::jsonb #>> '{after,${field}}'`;
/** Neither text is printed. @param kept SQL that is true while the text of the row is not erased */
const reason = (column: string, kept = 'true'): Field => [
  'reason',
  `md5(${column})`,
  `md5(coalesce((select t.reason from admin_act_personal t where t.act_id = a.id and ${kept}), ${column}))`,
];
/** A value that only one kind of act states. */
const only = (kind: string, [name, found, expected]: Field): Field => [
  name,
  found,
  `case d.kind when '${kind}' then ${expected} else ${found} end`,
];

const REPEATED: readonly RepeatedRows[] = [
  {
    about: `format('The run %s of payouts (%s)', r.number, d.kind)`,
    from: `payout_run r cross join lateral (values
        ('payout.drafted', coalesce(r.drafted_by, 'system'), null), ('payout.fixed', r.fixed_by, null),
        ('payout.checked', r.checked_by, null), ('payout.run_cancelled', r.cancelled_by, r.cancel_reason)
      ) as d (kind, by, why)
      left join admin_act a on ${actOn('a', 'd.kind', 'r.id::text')}`,
    where: 'd.by is not null',
    fields: [
      ['person', 'd.by', `case when a.body::jsonb ->> 'actorRole' = 'system' then 'system' else a.actor_id end`],
      ['number', 'r.number::text', after('a', 'number')],
      only('payout.drafted', ['minimum', 'r.minimum_cents::text', after('a', 'minimum_cents')]),
      only('payout.drafted', [
        'cutoff',
        `to_char(r.cutoff at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
        after('a', 'cutoff'),
      ]),
      reason('d.why'),
    ],
  },
  {
    about: `format('File %s of the run %s of payouts (%s)', f.file, r.number, d.kind)`,
    from: `payout_file f join payout_run r on r.id = f.run_id cross join lateral (values
        ('payout.file_made', f.made_by, null), ('payout.file_taken_back', f.taken_back_by, f.taken_back_reason)
      ) as d (kind, by, why)
      left join admin_act a on ${actOn('a', 'd.kind', 'f.run_id::text')} and ${after('a', 'file')} = f.file::text`,
    where: 'd.by is not null',
    fields: [
      ['person', 'd.by', 'a.actor_id'],
      ['number of payouts', 'f.payouts::text', after('a', 'payouts')],
      ['amount in cents', 'f.amount_cents::text', after('a', 'amount_cents')],
      reason('d.why'),
    ],
  },
  {
    about: `format('The file %s of the bank', left(r.id, 12))`,
    from: `bank_report r left join admin_act a on ${actOn('a', `'payout.recorded'`, 'r.id')}
      cross join lateral (
        select count(*)::text as transfers, coalesce(sum(amount_cents), 0)::text as cents
        from bank_report_line l where l.report_id = r.id
      ) as l`,
    where: 'true',
    fields: [
      ['person', 'r.recorded_by', 'a.actor_id'],
      ['number of transfers', 'l.transfers', after('a', 'transfers')],
      ['sum in cents', 'l.cents', after('a', 'amount_cents')],
    ],
  },
  {
    about: `format('The transfer of the payout %s in a file of the bank', l.payout_id)`,
    from: `bank_report_line l join bank_report r on r.id = l.report_id join payout p on p.payout_id = l.payout_id
      left join admin_act a on ${actOn('a', `'payout.recorded'`, 'r.id')}`,
    where: `l.outcome = 'recorded'`,
    fields: [['amount in cents', 'l.amount_cents::text', 'p.amount_cents::text']],
  },
  {
    about: `format('The proposal %s', p.id)`,
    from: `credit_proposal p left join admin_act a on ${actOn('a', `'credits.proposed'`, 'p.id::text')}
      left join admin_act no on ${actOn('no', `'credits.declined'`, 'p.id::text')}
      left join lateral (
        select yes.actor_id from admin_act yes
        where yes.user_id = p.user_id and yes.kind in ('credits.granted', 'credits.adjusted') and yes.closes is null
          and ${after('yes', 'proposal')} = p.id::text
          and exists (select from admin_act e where e.closes = yes.id and e.state = 'done')
        limit 1
      ) as yes on true`,
    where: 'p.proposed_at >= $1',
    fields: [
      ['proposer', 'p.proposed_by', 'a.actor_id'],
      ['user', 'p.user_id', 'a.user_id'],
      ['kind', 'p.kind', after('a', 'kind')],
      ['amount', 'p.amount::text', after('a', 'amount')],
      reason(`nullif(p.reason, '')`, `p.reason <> ''`),
      [
        'decision',
        'p.state',
        `case when no.id is not null then 'declined' when yes.actor_id is not null then 'approved'
          when p.state = 'declined' then 'open' else p.state end`,
      ],
      // Acts of earlier builds do not name the proposal.
      ['decider', 'p.decided_by', 'coalesce(no.actor_id, yes.actor_id, p.decided_by)'],
    ],
  },
];

/** Acts whose row is gone. */
const LOST = `
  select a.number, format('payout_file lacks the file %s of the run %s.', ${after('a', 'file')}, a.subject_id) as what
  from admin_act a
  where a.kind = 'payout.file_made' and a.closes is null and not exists (
    select from payout_file f where f.run_id::text = a.subject_id and f.file::text = ${after('a', 'file')})
  order by 1 limit ${REPORTED_PER_CHECK}`;

interface Difference {
  readonly number: number | null;
  readonly about: string;
  readonly field: string;
  readonly found: string | null;
  readonly expected: string | null;
}

/**
 * Compares rows that people rely on, and that no event makes, with the acts that made them. One statement a table, each
 * on the acts of its rows. Nothing is compared while the log is empty.
 */
export async function compareRowsWithActs(pool: Pool, report: Report): Promise<void> {
  const dueFrom = await allActsDueFrom(pool);
  if (dueFrom === null) return;
  const problem = (version: number | null, sentence: string): void =>
    report({ stream: ACT_LOG, version, kind: 'act', what: sentence });
  for (const repeated of REPEATED) {
    const text = differencesOf(repeated);
    const { rows } = await pool.query<Difference>(text, text.includes('$1') ? [new Date(dueFrom)] : []);
    for (const row of rows) problem(row.number, sentenceOf(row));
  }
  const { rows: lost } = await pool.query<{ number: number; what: string }>(LOST);
  for (const { number, what: sentence } of lost) problem(number, sentence);
}

function differencesOf({ about, from, where, fields }: RepeatedRows): string {
  const values = fields.map(([name, found, expected], index) => `(${index}, '${name}', ${found}, ${expected})`);
  return `
    select a.number, ${about} as about, v.name as field, v.found, v.expected
    from ${from} cross join lateral (values ${values.join(', ')}) as v (index, name, found, expected)
    where ${where} and case when a.id is null then v.index = 0 else v.found is distinct from v.expected end
    order by 2, v.index limit ${REPORTED_PER_CHECK}`;
}

function sentenceOf({ number, about, field, found, expected }: Difference): string {
  if (number === null) return `${about} has no act.`;
  if (field === 'reason') return `${about} has another reason than its act.`;
  return `${about} has the ${field} ${found ?? 'none'}, but its act has ${expected ?? 'none'}.`;
}
