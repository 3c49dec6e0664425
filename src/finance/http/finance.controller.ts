import { Body, Controller, Logger, Query, Res, type StreamableFile } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type FastifyReply } from 'fastify';
import {
  BookEntriesRequest,
  CloseMonthRequest,
  DeferredRevenueRequest,
  EventEntriesRequest,
  LiabilitiesRequest,
  RevenueMonthsRequest,
  TrialBalanceRequest,
} from '../../contract/calls/finance.js';
import {
  type BookEntries,
  type BookEntry,
  type CreatorLiabilities,
  type DeferredRevenue,
  type MonthClose,
  type MonthClosing,
  type RevenueMonths,
  type TrialBalance,
} from '../../contract/finance.js';
import { CREATOR_ID, MONTH } from '../../contract/formats.js';
import { MOST_ENTRY_ACCOUNTS, PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Acting, type Actor } from '../../platform/acts/actor.js';
import { DomainError } from '../../platform/domain-error.js';
import { csvDownload } from '../../platform/http/csv-download.js';
import { instant, instantOrNow } from '../../platform/http/instants.js';
import { Endpoint, FINANCE, Rpc } from '../../platform/http/routes.js';
import { type BookFile, ExportBooks } from '../reads/book-files.js';
import { GetEventEntries, ListBookEntries } from '../reads/book-entries.js';
import { ListCreatorLiabilities } from '../reads/creator-liabilities.js';
import { GetMonthClosing } from '../reads/month-closing-figures.js';
import { GetDeferredRevenue, ListRevenueMonths } from '../reads/revenue-months.js';
import { GetTrialBalance } from '../reads/trial-balance.js';
import { CloseBookMonth } from '../use-cases/close-book-month.js';

const READ = { ...FINANCE, limit: RATE_LIMITS.financeData } as const;
const ACT = { ...FINANCE, freshRoles: true, reverified: true, limit: RATE_LIMITS.financialOps } as const;
// Each page of entries is a statement with a limit of its own.
const DOWNLOAD = { ...FINANCE, limit: RATE_LIMITS.financialOps, unlimitedDatabaseTime: true } as const;

/** The books, for finance and admins. */
@Controller()
export class FinanceController {
  private readonly logger = new Logger(FinanceController.name);

  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
  ) {}

  @Rpc('get_trial_balance', READ)
  async trialBalance(@Body() { p_at }: TrialBalanceRequest): Promise<TrialBalance> {
    return this.queries.execute(new GetTrialBalance(instantOrNow(p_at, 'p_at')));
  }

  @Rpc('list_revenue_months', READ)
  async revenueMonths(@Body() { p_limit, p_before }: RevenueMonthsRequest): Promise<RevenueMonths> {
    const limit = p_limit ?? PAGE_SIZES.revenueMonths;
    return this.queries.execute(new ListRevenueMonths({ limit, before: p_before ?? null }));
  }

  @Rpc('get_month_closing', READ)
  async monthClosing(): Promise<MonthClosing> {
    return this.queries.execute(new GetMonthClosing());
  }

  @Rpc('close_book_month', ACT)
  async closeMonth(
    @Acting() by: Actor,
    @Body() { p_month: month, p_figures: figures }: CloseMonthRequest,
  ): Promise<MonthClose> {
    return this.commands.execute(new CloseBookMonth({ month, figures, by }));
  }

  @Rpc('get_deferred_revenue', READ)
  async deferredRevenue(@Body() { p_month }: DeferredRevenueRequest): Promise<DeferredRevenue> {
    return this.queries.execute(new GetDeferredRevenue(p_month ?? null));
  }

  @Rpc('list_creator_liabilities', READ)
  async creatorLiabilities(@Body() request: LiabilitiesRequest): Promise<CreatorLiabilities> {
    const at = instantOrNow(request.p_at, 'p_at');
    const limit = request.p_limit ?? PAGE_SIZES.liabilities;
    return this.queries.execute(new ListCreatorLiabilities({ at, limit, after: request.p_after ?? null }));
  }

  @Rpc('list_book_entries', READ)
  async entries(@Body() request: BookEntriesRequest): Promise<BookEntries> {
    return this.queries.execute(
      new ListBookEntries({
        accounts: request.p_accounts,
        creatorId: request.p_creator_id ?? null,
        boughtMonth: request.p_bought_month ?? null,
        from: instant(request.p_from, 'p_from'),
        to: instant(request.p_to, 'p_to'),
        limit: request.p_limit ?? PAGE_SIZES.bookEntries,
        after: request.p_after ?? null,
      }),
    );
  }

  @Rpc('get_event_entries', READ)
  async eventEntries(@Body() { p_user_id, p_version }: EventEntriesRequest): Promise<BookEntry[]> {
    return this.queries.execute(new GetEventEntries({ userId: p_user_id, version: p_version }));
  }

  @Endpoint('GET /exports/trial-balance.csv', DOWNLOAD)
  async trialBalanceFile(@Query('at') at: unknown, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.download({ file: 'trial-balance', at: instantOrNow(at, 'at') }, reply);
  }

  @Endpoint('GET /exports/revenue-months.csv', DOWNLOAD)
  async revenueMonthsFile(@Query() query: Record<string, unknown>, @Res({ passthrough: true }) reply: FastifyReply) {
    const { limit } = query;
    if (limit !== undefined && (typeof limit !== 'string' || !/^[1-9]\d{0,3}$/.test(limit))) {
      throw new DomainError('invalid', 'limit must be a number of months');
    }
    const before = monthOrNull(query['before'], 'before');
    return this.download({ file: 'revenue-months', limit: limit === undefined ? null : Number(limit), before }, reply);
  }

  @Endpoint('GET /exports/deferred-revenue.csv', DOWNLOAD)
  async deferredRevenueFile(@Query('month') month: unknown, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.download({ file: 'deferred-revenue', month: monthOrNull(month, 'month') }, reply);
  }

  @Endpoint('GET /exports/creator-liabilities.csv', DOWNLOAD)
  async creatorLiabilitiesFile(@Query('at') at: unknown, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.download({ file: 'creator-liabilities', at: instantOrNow(at, 'at') }, reply);
  }

  @Endpoint('GET /exports/book-entries.csv', DOWNLOAD)
  async entriesFile(@Query() query: Record<string, unknown>, @Res({ passthrough: true }) reply: FastifyReply) {
    const { account, creator_id: creator, from, to } = query;
    const accounts = typeof account === 'string' ? account.split(',') : [];
    const isList =
      accounts.length > 0 && accounts.length <= MOST_ENTRY_ACCOUNTS && new Set(accounts).size === accounts.length;
    if (!isList || !accounts.every((number) => /^\d{4}$/.test(number))) {
      throw new DomainError('invalid', 'account must be the number of an account');
    }
    const isCreator = creator === undefined || (typeof creator === 'string' && CREATOR_ID.test(creator));
    if (!isCreator) throw new DomainError('invalid', 'creator_id must be the id of a creator');
    const creatorId = creator ?? null;
    const boughtMonth = monthOrNull(query['bought_month'], 'bought_month');
    const period = { from: instant(from, 'from'), to: instant(to, 'to') };
    const wanted = { accounts: accounts.map(Number), creatorId, boughtMonth, ...period };
    return this.download({ file: 'book-entries', ...wanted }, reply);
  }

  @Endpoint('GET /exports/reconciliation.csv', DOWNLOAD)
  async reconciliationFile(
    @Query() { from, to }: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const period = { from: instantOrNow(from, 'from'), to: instantOrNow(to, 'to') };
    return this.download({ file: 'reconciliation', ...period }, reply);
  }

  @Endpoint('GET /exports/journal.csv', DOWNLOAD)
  async journalFile(@Query() { from, to }: Record<string, unknown>, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.download({ file: 'journal', from: instant(from, 'from'), to: instant(to, 'to') }, reply);
  }

  private async download(wanted: BookFile, reply: FastifyReply): Promise<StreamableFile> {
    const { file } = wanted;
    const parts = await this.queries.execute(new ExportBooks(wanted));
    return csvDownload(reply, parts, {
      name: `fanvas-${file}.csv`,
      logger: this.logger,
      forPeople: FOR_PEOPLE.has(file),
    });
  }
}

/** Files with names or sentences. Accounting programs read the others. */
const FOR_PEOPLE: ReadonlySet<BookFile['file']> = new Set(['creator-liabilities', 'reconciliation']);

/** @throws DomainError invalid */
function monthOrNull(text: unknown, name: string): string | null {
  if (text === undefined) return null;
  if (typeof text === 'string' && MONTH.test(text)) return text;
  throw new DomainError('invalid', `${name} must be a month such as 2026-10`);
}
