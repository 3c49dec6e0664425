import { QueryHandler } from '@nestjs/cqrs';
import { type BookEntry, type CreatorLiability } from '../../contract/finance.js';
import { csvLine, dollars, knownDollars } from '../../platform/csv.js';
import { inPages } from '../../platform/database/in-pages.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type BookEntryTable, type FinanceTables } from '../tables.js';
import { beginningOf } from './balances.js';
import { checkEntries, type EntryPage, readEntries, readJournal, toEntry } from './book-entries.js';
import { type AccountEntries, type EntryPeriod } from './entry-sums.js';
import { readLiabilities } from './creator-liabilities.js';
import { checkedInstant, checkPeriod } from './periods.js';
import { type AskedPeriod } from './reconciliation.js';
import { reconciliationFile } from './reconciliation-file.js';
import { GetDeferredRevenue, ListRevenueMonths } from './revenue-months.js';
import { GetTrialBalance } from './trial-balance.js';

/** Entries read at once. */
const ENTRIES_PER_READ = 1000;
/** Creators read at once. */
const CREATORS_PER_READ = 200;
/** More months than any product has. */
const ALL_MONTHS = 10_000;

/** A file for finance. */
export type BookFile =
  | { readonly file: 'trial-balance'; readonly at: Date | null }
  /** Null: all months. */
  | { readonly file: 'revenue-months'; readonly limit: number | null; readonly before: string | null }
  | { readonly file: 'deferred-revenue'; readonly month: string | null }
  | { readonly file: 'creator-liabilities'; readonly at: Date | null }
  | ({ readonly file: 'book-entries' } & AccountEntries)
  | ({ readonly file: 'journal' } & EntryPeriod)
  | ({ readonly file: 'reconciliation' } & AskedPeriod);

/** The CSV of a read of the books (RFC 4180), in parts; entries are read from the database page by page. */
export class ExportBooks extends QueryOf<BookFile, AsyncIterable<string>> {}

@QueryHandler(ExportBooks)
export class ExportBooksHandler extends ReadHandler<FinanceTables, ExportBooks> {
  /** @throws DomainError invalid, before the first part, as the read does */
  async execute({ input: wanted }: ExportBooks): Promise<AsyncIterable<string>> {
    const now = this.clock.now();
    switch (wanted.file) {
      case 'trial-balance':
        return parts(await this.trialBalance(wanted.at));
      case 'revenue-months':
        return parts(await this.months(wanted));
      case 'deferred-revenue':
        return parts(await this.deferred(wanted.month));
      case 'creator-liabilities':
        checkedInstant(wanted.at, { now, beginsAt: await beginningOf(this.db) });
        // One instant for all pages
        return this.liabilities(wanted.at ?? now);
      case 'book-entries':
        checkEntries(wanted, now);
        return this.entries((page) => readEntries(this.db, wanted, page));
      case 'journal':
        checkPeriod(wanted.from, wanted.to, now);
        return this.entries((page) => readJournal(this.db, wanted, page));
      case 'reconciliation':
        return reconciliationFile(this.queries, { from: wanted.from, to: wanted.to });
    }
  }

  private async trialBalance(at: Date | null): Promise<string[]> {
    const balance = await this.queries.execute(new GetTrialBalance(at));
    const share = balance.creator_share;
    const parts = share && [
      ['pending', 0, share.pending_cents] as const,
      ['payable', 0, share.payable_cents] as const,
      ['debt', share.debt_cents, 0] as const,
    ];
    return [
      csvLine(['at', 'account', 'name', 'kind', 'debit_usd', 'credit_usd', 'credits']),
      ...balance.accounts.map(({ account, name, kind, debit_cents: debit, credit_cents: credit, credits }) =>
        csvLine([balance.at, account, name, kind, knownDollars(debit), knownDollars(credit), credits]),
      ),
      csvLine([balance.at, '', 'Total', '', dollars(balance.debit_cents), dollars(balance.credit_cents), null]),
      // Below the total: they are parts of an account above it.
      ...(parts ?? []).map(([name, debit, credit]) =>
        csvLine([balance.at, '', `Of 2100: ${name}`, 'part', dollars(debit), dollars(credit), null]),
      ),
    ];
  }

  private async months({ limit, before }: BookFile & { file: 'revenue-months' }): Promise<string[]> {
    const { months } = await this.queries.execute(new ListRevenueMonths({ limit: limit ?? ALL_MONTHS, before }));
    return [
      csvLine([
        ...[
          'month',
          'opening_usd',
          'sold_usd',
          'refunded_usd',
          'charged_back_usd',
          'recognised_usd',
          'other_income_usd',
        ],
        ...['loss_usd', 'deferred_usd', 'creator_usd', 'platform_usd', 'recognised_credits', 'deferred_credits'],
        'closed_at',
      ]),
      ...months.map((month) =>
        csvLine([
          ...[month.month, dollars(month.opening_cents), dollars(month.sold_cents), dollars(month.refunded_cents)],
          ...[dollars(month.charged_back_cents), dollars(month.recognised_cents), dollars(month.other_income_cents)],
          ...[dollars(month.loss_cents), dollars(month.deferred_cents), dollars(month.creator_cents)],
          ...[dollars(month.platform_cents), month.recognised_credits, month.deferred_credits],
          month.closed_at,
        ]),
      ),
    ];
  }

  private async deferred(wanted: string | null): Promise<string[]> {
    const { month, ages } = await this.queries.execute(new GetDeferredRevenue(wanted));
    return [
      csvLine(['month', 'bought_month', 'age_months', 'deferred_usd', 'credits']),
      ...ages.map((age) => csvLine([month, age.bought_month, age.age_months, dollars(age.cents), age.credits])),
    ];
  }

  private async *liabilities(at: Date): AsyncGenerator<string> {
    yield csvLine([
      ...['at', 'creator_id', 'name', 'username', 'pending_usd', 'payable_usd', 'paid_usd', 'debt_usd'],
      ...['under_way_usd', 'earned_usd'],
    ]);
    const sources = { db: this.db, queries: this.queries };
    const pages = inPages<CreatorLiability>(CREATORS_PER_READ, async (last, limit) => {
      const { creators } = await readLiabilities(sources, { at, limit, after: last?.creator_id ?? null });
      return creators;
    });
    for await (const creators of pages) {
      yield creators
        .map((creator) =>
          csvLine([
            ...[at.toISOString(), creator.creator_id, creator.name, creator.username, dollars(creator.pending_cents)],
            ...[dollars(creator.payable_cents), dollars(creator.paid_cents), dollars(creator.debt_cents)],
            ...[dollars(creator.under_way_cents), dollars(creator.earned_cents)],
          ]),
        )
        .join('');
    }
  }

  private async *entries(read: (page: EntryPage) => Promise<readonly BookEntryTable[]>): AsyncGenerator<string> {
    yield csvLine([
      ...['date', 'entry', 'line', 'account', 'account_name', 'debit_usd', 'credit_usd', 'description', 'purchase'],
      ...['generation', 'creator_id', 'reversal', 'credits', 'occurred_at', 'payable_at', 'bought_month'],
    ]);
    const pages = inPages<BookEntryTable>(ENTRIES_PER_READ, (after, limit) => read({ after, limit }));
    for await (const rows of pages) yield rows.map((row) => entryLine(toEntry(row))).join('');
  }
}

/** A line as accounting programs import it: lines with the same `entry` belong together. */
function entryLine(entry: BookEntry): string {
  return csvLine([
    ...[entry.occurred_at.slice(0, 10), `${entry.user_id}:${entry.version}`, entry.line, entry.account],
    ...[entry.account_name, dollars(entry.debit_cents), dollars(entry.credit_cents), entry.event_type],
    ...[entry.session_id, entry.generation_id, entry.creator_id, entry.reversal_id, entry.credits],
    ...[entry.occurred_at, entry.payable_at, entry.bought_month],
  ]);
}

async function* parts(lines: readonly string[]): AsyncGenerator<string> {
  await Promise.resolve();
  yield lines.join('');
}
