import { QueryHandler } from '@nestjs/cqrs';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type BookEntries, type BookEntry } from '../../contract/finance.js';
import { type PageAfter, QueryOf, ReadHandler } from '../../platform/messages.js';
import { DomainError } from '../../platform/domain-error.js';
import { wireFields } from '../../platform/wire-fields.js';
import { ACCOUNT, type AccountNumber, CHART } from '../chart-of-accounts.js';
import { PROCESSOR_STREAM } from '../processor/events.js';
import { PAYOUT_STREAM_PREFIX } from '../payouts/events.js';
import { type BookEntryTable, type FinanceTables } from '../tables.js';
import { startOf } from './book-sums.js';
import { POSTED, POSTED_BY_PROCESSOR } from './balances.js';
import { ACCOUNT_OF_RULE_2, correctionLines, RULE_2_BEGINS } from './books-rule.js';
import { type AccountEntries, type EntryPeriod, sumOfEntries } from './entry-sums.js';
import { checkPeriod } from './periods.js';

/** Where a page ends. */
type EntryCursor = Pick<BookEntryTable, 'occurred_at' | 'user_id' | 'version' | 'line'>;

/**
 * The entries of accounts, the oldest first, and their sum.
 * @param input `after`: the id of an entry; null: from the first one
 */
export class ListBookEntries extends QueryOf<AccountEntries & PageAfter<string>, BookEntries> {}

@QueryHandler(ListBookEntries)
export class ListBookEntriesHandler extends ReadHandler<FinanceTables, ListBookEntries> {
  /** @throws DomainError invalid for an unknown account, or one without entries of its own, a wrong period or place */
  async execute({ input: { limit, after, ...wanted } }: ListBookEntries): Promise<BookEntries> {
    checkEntries(wanted, this.clock.now());
    const rows = await readEntries(this.db, wanted, { after: cursorOf(after), limit: limit + 1 });
    const entries = rows.slice(0, limit).map(toEntry);
    const accounts = CHART.filter(({ account }) => wanted.accounts.includes(account));
    return {
      ...(await sumOfEntries(this.db, wanted)),
      accounts: accounts.map(({ account, name, kind }) => ({ account, name, kind })),
      entries,
      next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null,
    };
  }
}

/** The entries of an event, by its account's user, or the stream of a payout or of the processor, and its version. */
export class GetEventEntries extends QueryOf<{ readonly userId: string; readonly version: number }, BookEntry[]> {}

@QueryHandler(GetEventEntries)
export class GetEventEntriesHandler extends ReadHandler<FinanceTables, GetEventEntries> {
  async execute({ input: { userId, version } }: GetEventEntries): Promise<BookEntry[]> {
    const isEvent = sql`version = ${version}`;
    const parts = linesOf(userId, isEvent).map(({ from, owner }) => sql`${from} and ${owner} = ${userId}`);
    const { rows } = await sql<BookEntryTable>`
      select * from (${sql.join(parts, sql` union all `)}) as lines order by line`.execute(this.db);
    return rows.map(toEntry);
  }
}

/** @throws DomainError invalid */
export function checkEntries({ accounts, creatorId, boughtMonth, ...period }: AccountEntries, now: Date): void {
  checkPeriod(period.from, period.to, now);
  for (const account of accounts) {
    const known = CHART.find((entry) => entry.account === account);
    if (!known) throw new DomainError('invalid', `There is no account ${account}.`);
    if (known.source === 'time') {
      throw new DomainError('invalid', `The entries of account ${account} are those of ${ACCOUNT.creatorShare}.`);
    }
    if (creatorId !== null && !BY_CREATOR.has(account)) {
      throw new DomainError('invalid', `Only accounts ${[...BY_CREATOR].join(', ')} have entries by creator.`);
    }
    if (boughtMonth !== null && account !== ACCOUNT.customerCredits) {
      throw new DomainError('invalid', `Only account ${ACCOUNT.customerCredits} has entries by month of purchase.`);
    }
  }
  if (boughtMonth !== null && [period.from, period.to].some((edge) => startOf('month', edge) < edge)) {
    throw new DomainError('invalid', 'Of a month of purchase, the period must begin and end with a month.');
  }
}

/** A page of the entries of accounts, in the order of time. */
export function readEntries(
  db: Kysely<FinanceTables>,
  { accounts, creatorId, boughtMonth, ...period }: AccountEntries,
  page: EntryPage,
): Promise<readonly BookEntryTable[]> {
  const ofCreator = creatorId === null ? sql`` : sql`and creator_id = ${creatorId}`;
  const ofMonth = boughtMonth === null ? sql`` : sql`and bought_month = ${boughtMonth}`;
  const parts = accounts.flatMap((account) => {
    // Literals, because the indexes by creator and by month are of one account.
    const isAccount = sql`account = ${sql.lit(account)} ${ofCreator}`;
    const payouts = PAYOUT_LINES[account]?.map(({ posted, when }) =>
      payoutLines(sql`account = ${sql.lit(posted)} ${when} ${ofCreator}`),
    );
    const lines = payouts ? [...payouts, corrections(isAccount, period)] : [];
    if (POSTED.includes(account as AccountNumber)) lines.push(ledgerLines(sql`${isAccount} ${ofMonth}`));
    // None of them names a creator.
    if (OF_PROCESSOR.has(account) && creatorId === null) lines.push(processorLines(isAccount));
    return lines;
  });
  return readPage(db, parts, period, page);
}

/** A page of all entries with money, in the order of time. */
export function readJournal(
  db: Kysely<FinanceTables>,
  period: EntryPeriod,
  page: EntryPage,
): Promise<readonly BookEntryTable[]> {
  const parts = [ledgerLines(sql`cents <> 0`), payoutLines(sql`true`), processorLines(sql`true`)];
  return readPage(db, [...parts, corrections(sql`true`, period)], period, page);
}

/** The lines of `payout_entry` that the journal has on an account. */
const PAYOUT_LINES: Readonly<
  Partial<Record<number, readonly { readonly posted: number; readonly when: RawBuilder<unknown> }[]>>
> = {
  [ACCOUNT.bank]: [{ posted: ACCOUNT.payoutsPaid, when: sql`and occurred_at >= ${RULE_2_BEGINS}` }],
  [ACCOUNT.creatorShare]: [{ posted: ACCOUNT.creatorPayable, when: sql`and occurred_at >= ${RULE_2_BEGINS}` }],
  [ACCOUNT.payoutsUnderWay]: [{ posted: ACCOUNT.payoutsUnderWay, when: sql`` }],
  [ACCOUNT.payoutsPaid]: [{ posted: ACCOUNT.payoutsPaid, when: sql`and occurred_at < ${RULE_2_BEGINS}` }],
};

/** Accounts whose lines name a creator. */
const BY_CREATOR: ReadonlySet<number> = new Set(Object.keys(PAYOUT_LINES).map(Number));

/** Accounts whose lines are those of the processor. */
const OF_PROCESSOR: ReadonlySet<number> = new Set(POSTED_BY_PROCESSOR);

/** Lines of one table that meet a condition. */
interface Lines {
  readonly from: RawBuilder<unknown>;
  /** The column of the table that names the owner of the event. */
  readonly owner: RawBuilder<unknown>;
}

function ledgerLines(condition: RawBuilder<unknown>): Lines {
  const columns = sql`user_id, version, line, account, event_type, occurred_at, cents, credits, lot_id, bought_month,
    deduction_id, creator_id, reversal_id, payable_at`;
  return { from: sql`select ${columns} from book_entry where ${condition}`, owner: sql`user_id` };
}

function payoutLines(condition: RawBuilder<unknown>): Lines {
  const account = sql`case when occurred_at < ${RULE_2_BEGINS} then account else ${ACCOUNT_OF_RULE_2} end as account`;
  const columns = sql`stream as user_id, version, line, ${account}, event_type, occurred_at, cents, 0::bigint as credits,
    null::text as lot_id, null::text as bought_month, null::text as deduction_id, creator_id,
    null::text as reversal_id, null::timestamptz as payable_at`;
  return { from: sql`select ${columns} from payout_entry where ${condition}`, owner: sql`stream` };
}

function processorLines(condition: RawBuilder<unknown>): Lines {
  const columns = sql`${PROCESSOR_STREAM}::text as user_id, version, line, account, event_type, occurred_at, cents,
    0::bigint as credits, session_id as lot_id, null::text as bought_month, null::text as deduction_id,
    null::text as creator_id, reversal_id, null::timestamptz as payable_at`;
  return {
    from: sql`select ${columns} from processor_entry where ${condition}`,
    owner: sql`${PROCESSOR_STREAM}::text`,
  };
}

function corrections(condition: RawBuilder<unknown>, period: EntryPeriod | null): Lines {
  return { from: correctionLines(condition, period), owner: sql`user_id` };
}

/** The lines of an event, by the owner of its stream. */
function linesOf(owner: string, condition: RawBuilder<unknown>): readonly Lines[] {
  if (owner === PROCESSOR_STREAM) return [processorLines(condition), corrections(condition, null)];
  return [owner.startsWith(PAYOUT_STREAM_PREFIX) ? payoutLines(condition) : ledgerLines(condition)];
}

/** A page of entries. */
export type EntryPage = PageAfter<EntryCursor>;

/** @param parts each of them is read by an index of its own; no line is in two of them */
async function readPage(
  db: Kysely<FinanceTables>,
  parts: readonly Lines[],
  { from, to }: EntryPeriod,
  { after, limit }: EntryPage,
): Promise<readonly BookEntryTable[]> {
  const behind = (owner: RawBuilder<unknown>) =>
    after
      ? sql`and (occurred_at, ${owner}, version, line) > (${after.occurred_at}::timestamptz, ${after.user_id},
          ${after.version}::integer, ${after.line}::integer)`
      : sql``;
  const inOrder = (owner: RawBuilder<unknown>) => sql`order by occurred_at, ${owner}, version, line limit ${limit}`;
  const pages = parts.map(
    ({ from: lines, owner }) => sql`(
      ${lines} and occurred_at >= ${from} and occurred_at < ${to} ${behind(owner)} ${inOrder(owner)}
    )`,
  );
  const { rows } = await sql<BookEntryTable>`
    select * from (${sql.join(pages, sql` union all `)}) as lines ${inOrder(sql`user_id`)}`.execute(db);
  return rows;
}

const NAMES: ReadonlyMap<number, string> = new Map(CHART.map(({ account, name }) => [account, name]));

/** An entry as callers see it. */
export function toEntry(row: BookEntryTable): BookEntry {
  const { user_id, version, line, account, cents } = row;
  return {
    id: `${row.occurred_at.toISOString()}/${version}/${line}/${user_id}`,
    ...wireFields(row, ['user_id', 'version', 'line', 'account']),
    account_name: NAMES.get(account) ?? '',
    ...wireFields(row, ['event_type', 'occurred_at']),
    debit_cents: Math.max(0, cents),
    credit_cents: Math.max(0, 0 - cents),
    credits: row.credits,
    session_id: row.lot_id,
    bought_month: row.bought_month,
    generation_id: row.deduction_id,
    ...wireFields(row, ['creator_id', 'reversal_id', 'payable_at']),
  };
}

const PLACE = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)\/(\d{1,9})\/(\d{1,9})\/([^\0]{1,200})$/;

/** @throws DomainError invalid */
function cursorOf(id: string | null): EntryCursor | null {
  if (id === null) return null;
  const [, time = '', version, line, user_id = ''] = PLACE.exec(id) ?? [];
  const occurred_at = new Date(time);
  if (Number.isNaN(occurred_at.getTime())) throw new DomainError('invalid', 'p_after must be the id of an entry');
  return { occurred_at, version: Number(version), line: Number(line), user_id };
}
