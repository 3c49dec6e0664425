import { type Pool } from 'pg';
import { type ClosedMonthTable } from '../../finance/tables.js';
import { type AuditedClose } from './processor-audit.js';

/** The act that closes a month. */
const CLOSE = 'books.month_closed';
/** Accounts of docs/books.md: rule 1 divides 2100 among the debt of creators, pending, payable and both of payouts. */
const [BANK, DEBT, SHARE, PENDING, PAYABLE, UNDER_WAY, PAID] = [1100, 1200, 2100, 2110, 2120, 2130, 2140] as const;
/** Unknown before the first entry of the processor. By rule 2, the bank has payouts too and is known. */
const PROCESSOR: ReadonlySet<number> = new Set([1015, 1040, 1050, 1060, 2300, 2310, 5300]);
/** Accounts that months which were closed before them do not have. They had no entry then. */
const LATER: ReadonlySet<number> = new Set([1060, 2310]);
const COUNTED: ReadonlySet<number> = new Set([2000, 2050]);
const COMMON: readonly number[] = [
  ...[1010, 1015, 1020, 1030, 1040, 1050, 1060, BANK, 2000, 2050, UNDER_WAY, 2300, 2310, 4000, 4100, 4200, 5100, 5200],
  5300,
];
/** The accounts of a trial balance by each rule. */
const CHARTS = { 1: [...COMMON, DEBT, PENDING, PAYABLE, PAID], 2: [...COMMON, SHARE] } as const;
const ALL: readonly number[] = [...new Set([...CHARTS[1], ...CHARTS[2]])];

/** A difference of a closed month. Null: of no event. */
type OnClosed = (version: number | null, kind: 'act' | 'processor' | 'projection', sentence: string) => void;

interface Sums {
  /** By account: cents and credits. */
  readonly sums: readonly (readonly [account: number, cents: number, credits: number])[];
  readonly debt: number;
  /** Whether the processor had an entry. */
  readonly processor: boolean;
  /** The act of the person, if it is in the log of acts. */
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
    (select id::text from admin_act a where a.id::text = wanted.act and a.actor_id = wanted.by and a.kind = '${CLOSE}'
      and a.closes is null) as act
  from (
    select act, by, place, (to_date(month, 'YYYY-MM') + interval '1 month') at time zone 'UTC' as ends_at
    from unnest($1::text[], $2::text[], $3::text[]) with ordinality as given (month, act, by, place)
  ) as wanted order by place`;

/** The month of the first line: of the first one of each account, because the index has the accounts first. */
const FIRST_MONTH = `
  select to_char(min(occurred_at) at time zone 'UTC', 'YYYY-MM') as month
  from unnest($1::smallint[]) as chart (account) cross join lateral (
    select occurred_at from book_entry e where e.account = chart.account order by occurred_at limit 1
  ) as line`;

/** How far the stream was read, and its projection has applied it. */
interface EventsRead {
  /** Version of the last event. */
  readonly version: number;
  /** Events of lower versions are in the tables. */
  readonly appliedUntil: number;
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
  const { rows: first } = await pool.query<{ month: string | null }>(FIRST_MONTH, [ALL]);
  const [oldest] = closes;
  if (oldest && oldest.month !== first[0]?.month) {
    const sentence = `${oldest.month} was closed first, but the books begin in ${first[0]?.month ?? 'no month'}.`;
    onDifference(oldest.version, 'processor', sentence);
  }
  const { rows } = await pool.query<Sums>(SUMS, [
    ...[closes.map(({ month }) => month), closes.map(({ act }) => act), closes.map(({ by }) => by)],
  ]);
  for (const [index, close] of closes.entries()) {
    const found = rows[index];
    if (!found) continue;
    if (found.act === null) {
      onDifference(close.version, 'act', `${close.month} was closed, but no act of that person in the log caused it.`);
    }
    for (const sentence of figureDifferences(close, found)) onDifference(close.version, 'processor', sentence);
  }
}

function* figureDifferences(
  { month, balances, creatorShare }: AuditedClose,
  { sums, debt, processor }: Sums,
): Generator<string> {
  // The rule of a closed month is that of its event.
  const rule = creatorShare === null ? 1 : 2;
  const cents = new Map(sums.map(([account, sum]) => [account, sum]));
  const credits = new Map(sums.map(([account, , sum]) => [account, sum]));
  const sumOf = (account: number): number => cents.get(account) ?? 0;
  // Payouts take from what is payable. The sums of 2120 have both, and the lines of a payout sum to zero.
  const pending = sumOf(SHARE) - sumOf(PAYABLE) - sumOf(UNDER_WAY) - sumOf(PAID);
  const payable = sumOf(PAYABLE) - debt;
  if (rule === 1) {
    for (const [account, part] of [
      [DEBT, debt],
      [PENDING, pending],
      [PAYABLE, payable],
    ] as const)
      cents.set(account, part);
  } else {
    cents.set(SHARE, pending + payable + debt);
    cents.set(BANK, sumOf(BANK) + sumOf(PAID));
    const parts = { pendingCents: 0 - pending, payableCents: 0 - payable, debtCents: debt };
    const differing = Object.entries(parts).filter(
      ([name, part]) => creatorShare?.[name as keyof typeof parts] !== part,
    );
    for (const [name, part] of differing) {
      const found = creatorShare?.[name as keyof typeof parts];
      yield `${month} was closed with ${found} as ${name} of account ${SHARE}, but the events give ${part}.`;
    }
  }
  const chart: readonly number[] = CHARTS[rule];
  const fixed = new Map(balances.map((balance) => [balance.account, balance]));
  if (fixed.size !== balances.length) yield `An account is twice in the figures of ${month}.`;
  for (const account of new Set([...chart, ...fixed.keys()])) {
    const balance = fixed.get(account);
    const needsProcessor = PROCESSOR.has(account) || (account === BANK && rule === 1);
    const isKnown = chart.includes(account) && (processor || !needsProcessor);
    const expected = isKnown
      ? { cents: sumOf(account), credits: COUNTED.has(account) ? (credits.get(account) ?? 0) : 0 }
      : null;
    if (balance?.cents === expected?.cents && balance?.credits === expected?.credits) continue;
    if (balance === undefined && LATER.has(account) && expected?.cents === 0) continue;
    const text = (amount: { readonly cents: number; readonly credits: number } | null | undefined): string =>
      amount ? `${amount.cents} cents and ${amount.credits} credits` : 'nothing';
    yield `${month} was closed with ${text(balance)} on account ${account}, but the events give ${text(expected)}.`;
  }
}

/** Compares the rows of the events up to `read.version`. Later ones may come meanwhile. */
async function compareTable(
  pool: Pool,
  closes: readonly AuditedClose[],
  read: EventsRead,
  onDifference: OnClosed,
): Promise<void> {
  const { rows } = await pool.query<ClosedMonthTable>(
    'select * from book_closed_month where version <= $1 order by version',
    [read.version],
  );
  const expectedCloses = new Map(closes.map((close) => [close.month, close]));
  for (const { month, version, closed_at: at, closed_by: by, ...figures } of rows) {
    const close = expectedCloses.get(month);
    const isSame =
      close?.version === version && close.at === at.getTime() && close.by === by && sameFigures(figures, close);
    if (!isSame) onDifference(null, 'projection', `book_closed_month has ${month} otherwise than the events.`);
  }
  const found = new Set(rows.map(({ month }) => month));
  for (const { month, version } of closes) {
    if (version < read.appliedUntil && !found.has(month))
      onDifference(null, 'projection', `book_closed_month lacks ${month}.`);
  }
}

function sameFigures(
  { balances: found, creator_share: parts }: Pick<ClosedMonthTable, 'balances' | 'creator_share'>,
  { balances, creatorShare }: AuditedClose,
): boolean {
  return (
    (['pendingCents', 'payableCents', 'debtCents'] as const).every((name) => parts?.[name] === creatorShare?.[name]) &&
    found.length === balances.length &&
    balances.every(({ account, cents, credits }, index) => {
      const other = found[index];
      return other?.account === account && other.cents === cents && other.credits === credits;
    })
  );
}
