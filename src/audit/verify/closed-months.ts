import { type Pool } from 'pg';
import { type AuditedClose } from './processor-audit.js';

/** The act that closes a month. */
const CLOSE = 'books.month_closed';
/** Accounts of docs/books.md that are parts of 2100, and the debt of creators. */
const [DEBT, SHARE, PENDING, PAYABLE] = [1200, 2100, 2110, 2120] as const;
const PAYOUTS = [2130, 2140] as const;
/** Unknown before the first entry of the processor. */
const PROCESSOR: ReadonlySet<number> = new Set([1015, 1040, 1050, 1060, 1100, 2300, 2310, 5300]);
/** Accounts that months which were closed before them do not have. They had no entry then. */
const LATER: ReadonlySet<number> = new Set([1060, 2310]);
const COUNTED: ReadonlySet<number> = new Set([2000, 2050]);
const CHART = [1010, 1015, 1020, 1030, 1040, 1050, 1060, 1100, DEBT, 2000, 2050, PENDING, PAYABLE].concat([
  ...[...PAYOUTS, 2300, 2310],
  4000,
  4100,
  4200,
  5100,
  5200,
  5300,
]);

/** A difference of a closed month. Null: of no event. */
type OnClosed = (version: number | null, kind: 'act' | 'processor' | 'projection', sentence: string) => void;

interface Sums {
  /** By account: cents and credits. */
  readonly sums: readonly (readonly [account: number, cents: number, credits: number])[];
  readonly debt: number;
  /** Whether the processor had an entry. */
  readonly processor: boolean;
  /** The act, if it is in the log of acts. */
  readonly act: string | null;
}

/** The sums before the end of each closed month. They are compared with the journal, and that with the events. */
const SUMS = `
  select (
      select coalesce(json_agg(json_build_array(account, cents, credits)), '[]') from (
        select account, sum(cents)::float8 as cents, sum(credits)::float8 as credits from (
          select account, cents, credits from book_sum where unit = 'month' and starts_at < ends_at
          union all select account, cents, 0 from payout_sum where unit = 'month' and starts_at < ends_at
          union all select account, cents, 0 from processor_sum where unit = 'month' and starts_at < ends_at
        ) as part group by account
      ) as each
    ) as sums, (
      select coalesce(sum(greatest(0, taken.cents + coalesce(share.cents, 0))), 0)::float8 from (
        select creator_id, sum(cents) as cents from payout_entry
        where account = ${PAYABLE} and occurred_at < ends_at group by creator_id having sum(cents) > 0
      ) as taken left join lateral (
        select sum(cents) as cents from book_creator_sum s
        where s.creator_id = taken.creator_id and account = ${PAYABLE} and unit = 'month' and starts_at < ends_at
      ) as share on true
    ) as debt,
    exists (select from processor_entry where occurred_at < ends_at) as processor,
    (select id::text from admin_act a where a.id::text = wanted.act and a.kind = '${CLOSE}' and a.closes is null) as act
  from (
    select act, place, (to_date(month, 'YYYY-MM') + interval '1 month') at time zone 'UTC' as ends_at
    from unnest($1::text[], $2::text[]) with ordinality as given (month, act, place)
  ) as wanted order by place`;

/** How far the stream was read, and its projection has applied it. */
interface EventsRead {
  /** Version of the last event. */
  readonly version: number;
  /** Events of lower versions are in the tables. */
  readonly appliedUntil: number;
}

interface TableRow {
  readonly month: string;
  readonly version: number;
  readonly closed_at: Date;
  readonly closed_by: string;
  readonly balances: string;
}

/**
 * Compares the figures of closed months with the trial balance that the books give for their ends now, the months with
 * their rows, and each close with its act. The figures are from the events: the sums that are read here are compared
 * with the lines, and the lines with the events.
 */
export async function closedMonthDifferences(
  pool: Pool,
  closes: readonly AuditedClose[],
  read: EventsRead,
  onDifference: OnClosed,
): Promise<void> {
  await compareTable(pool, closes, read, onDifference);
  if (closes.length === 0) return;
  const { rows: first } = await pool.query<{ month: string | null }>(
    `select to_char(min(occurred_at) at time zone 'UTC', 'YYYY-MM') as month from book_entry`,
  );
  const [oldest] = closes;
  if (oldest && oldest.month !== first[0]?.month) {
    const sentence = `${oldest.month} was closed first, but the books begin in ${first[0]?.month ?? 'no month'}.`;
    onDifference(oldest.version, 'processor', sentence);
  }
  const { rows } = await pool.query<Sums>(SUMS, [closes.map(({ month }) => month), closes.map(({ act }) => act)]);
  for (const [index, close] of closes.entries()) {
    const found = rows[index];
    if (!found) continue;
    if (found.act === null) {
      onDifference(close.version, 'act', `${close.month} was closed, but no act in the log caused it.`);
    }
    for (const sentence of figureDifferences(close, found)) onDifference(close.version, 'processor', sentence);
  }
}

function* figureDifferences({ month, balances }: AuditedClose, { sums, debt, processor }: Sums): Generator<string> {
  const cents = new Map(sums.map(([account, sum]) => [account, sum]));
  const credits = new Map(sums.map(([account, , sum]) => [account, sum]));
  const sumOf = (account: number): number => cents.get(account) ?? 0;
  cents.set(DEBT, debt);
  cents.set(PENDING, sumOf(SHARE) - sumOf(PAYABLE) - PAYOUTS.reduce((sum, account) => sum + sumOf(account), 0));
  cents.set(PAYABLE, sumOf(PAYABLE) - debt);
  const fixed = new Map(balances.map((balance) => [balance.account, balance]));
  if (fixed.size !== balances.length) yield `An account is twice in the figures of ${month}.`;
  for (const account of new Set([...CHART, ...fixed.keys()])) {
    const balance = fixed.get(account);
    const isKnown = CHART.includes(account) && (processor || !PROCESSOR.has(account));
    const due = isKnown
      ? { cents: sumOf(account), credits: COUNTED.has(account) ? (credits.get(account) ?? 0) : 0 }
      : null;
    if (balance?.cents === due?.cents && balance?.credits === due?.credits) continue;
    if (balance === undefined && LATER.has(account) && due?.cents === 0) continue;
    const text = (amount: { readonly cents: number; readonly credits: number } | null | undefined): string =>
      amount ? `${amount.cents} cents and ${amount.credits} credits` : 'nothing';
    yield `${month} was closed with ${text(balance)} on account ${account}, but the events give ${text(due)}.`;
  }
}

/** Compares the rows of the events up to `read.version`. Later ones may come meanwhile. */
async function compareTable(
  pool: Pool,
  closes: readonly AuditedClose[],
  read: EventsRead,
  onDifference: OnClosed,
): Promise<void> {
  const { rows } = await pool.query<TableRow>(
    'select month, version, closed_at, closed_by, balances::text as balances from book_closed_month where version <= $1 order by version',
    [read.version],
  );
  const due = new Map(closes.map((close) => [close.month, close]));
  for (const { month, version, closed_at: at, closed_by: by, balances } of rows) {
    const close = due.get(month);
    const isSame =
      close?.version === version &&
      close.at === at.getTime() &&
      close.by === by &&
      sameFigures(JSON.parse(balances) as AuditedClose['balances'], close);
    if (!isSame) onDifference(null, 'projection', `book_closed_month has ${month} otherwise than the events.`);
  }
  const found = new Set(rows.map(({ month }) => month));
  for (const { month, version } of closes) {
    if (version < read.appliedUntil && !found.has(month))
      onDifference(null, 'projection', `book_closed_month lacks ${month}.`);
  }
}

function sameFigures(found: AuditedClose['balances'], { balances }: AuditedClose): boolean {
  return (
    found.length === balances.length &&
    balances.every(({ account, cents, credits }, index) => {
      const other = found[index];
      return other?.account === account && other.cents === cents && other.credits === credits;
    })
  );
}
