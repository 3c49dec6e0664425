import { Body, Controller, Header, Logger } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  type AccountBalanceAt,
  type AccountEvent,
  type AccountStatement,
  type LedgerAccountsPage,
  type LedgerEventsPage,
  type LedgerExportPage,
  type LedgerProof,
  type LedgerSealPart,
  type LedgerSealsPage,
  type LedgerVerification,
  type VerificationRun,
  type VerificationRunsPage,
} from '../../contract/audit.js';
import {
  AccountStatementRequest,
  BalanceAtRequest,
  ExportEventsRequest,
  FindEventsRequest,
  LedgerAccountsRequest,
  LedgerProofRequest,
  SealPartRequest,
  SealsRequest,
  VerificationRunsRequest,
} from '../../contract/calls/audit.js';
import { AccountEventRequest } from '../../contract/calls/shared.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Clock } from '../../platform/clock.js';
import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { ApiError } from '../../platform/http/api-error.js';
import { CurrentUser, Endpoint, Rpc } from '../../platform/http/routes.js';
import { parseInstant } from '../../platform/instant.js';
import { type Principal } from '../../platform/principal.js';
import { GetAccountBalanceAt, GetAccountStatement, ListLedgerAccounts } from '../reads/account-statement.js';
import { ExportLedgerEvents, FindLedgerEvents, GetAccountEvent } from '../reads/ledger-events.js';
import { GetLedgerProof, GetLedgerSeal, ListLedgerSeals } from '../reads/ledger-seals.js';
import { GetLedgerVerification, ListVerificationRuns } from '../reads/ledger-verification.js';
import { LedgerKeys } from '../seals/ledger-keys.js';
import { publicPem } from '../seals/signing-key.js';
import { RequestVerification } from '../use-cases/request-verification.js';

/** A report reads a whole account in pages. Each page has its own time limit. */
const AUDITOR = { access: 'auditor', unlimitedDatabaseTime: true } as const;

/**
 * The ledger for auditors, who change nothing in it. Responses about accounts and events are computed from the streams,
 * and their chains and rules are checked at the same time. Requests are logged with the auditor, except lists of full
 * verifications.
 */
@Controller()
export class AuditorController {
  private readonly logger = new Logger(AuditorController.name);

  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly keys: LedgerKeys,
  ) {}

  @Rpc('get_account_balance_at', { ...AUDITOR, limit: RATE_LIMITS.audit })
  async balance(
    @CurrentUser() auditor: Principal,
    @Body() { p_user_id: userId, p_at }: BalanceAtRequest,
  ): Promise<AccountBalanceAt> {
    const at = p_at === undefined ? this.clock.now() : instantOf('p_at', p_at);
    this.logAccount(auditor, 'get_account_balance_at', userId);
    return this.queries.execute(new GetAccountBalanceAt({ userId, at }));
  }

  @Rpc('get_account_statement', { ...AUDITOR, limit: RATE_LIMITS.audit })
  async statement(
    @CurrentUser() auditor: Principal,
    @Body() { p_user_id: userId, p_from, p_to, p_limit, p_offset, p_newest_first }: AccountStatementRequest,
  ): Promise<AccountStatement> {
    const now = this.clock.now();
    const wanted = p_to === undefined ? now : instantOf('p_to', p_to);
    // Future lapses could change between two pages.
    const period = {
      from: p_from === undefined ? new Date(0) : instantOf('p_from', p_from),
      to: wanted < now ? wanted : now,
    };
    if (period.from >= period.to) throw new ApiError(400, 'p_from must be before p_to, and before now.');
    this.logAccount(auditor, 'get_account_statement', userId);
    const limit = p_limit ?? PAGE_SIZES.statementLines;
    const page = { offset: p_offset ?? 0, limit, newestFirst: p_newest_first ?? false };
    return this.queries.execute(new GetAccountStatement({ userId, period, page }));
  }

  @Rpc('get_account_event', { access: 'auditor', limit: RATE_LIMITS.auditExport })
  async event(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_user_id: userId, p_version: version }: AccountEventRequest,
  ): Promise<AccountEvent> {
    this.logger.log({ message: 'An auditor reads an event of an account.', auditor, userId, version });
    return this.queries.execute(new GetAccountEvent({ userId, version }));
  }

  @Rpc('list_ledger_accounts', { access: 'auditor', limit: RATE_LIMITS.auditExport })
  async accounts(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_after: after, p_limit }: LedgerAccountsRequest,
  ): Promise<LedgerAccountsPage> {
    if (after === undefined) this.logger.log({ message: 'An auditor lists the accounts of the ledger.', auditor });
    const limit = p_limit ?? PAGE_SIZES.ledgerAccounts;
    return this.queries.execute(new ListLedgerAccounts({ after: after ?? null, limit }));
  }

  @Rpc('find_ledger_events', { ...AUDITOR, limit: RATE_LIMITS.audit })
  async find(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_id: id, p_after, p_limit }: FindEventsRequest,
  ): Promise<LedgerEventsPage> {
    this.logger.log({ message: 'An auditor searches the ledger.', auditor, id });
    const limit = p_limit ?? PAGE_SIZES.foundEvents;
    return this.queries.execute(new FindLedgerEvents({ id, after: p_after ?? null, limit }));
  }

  @Rpc('list_ledger_seals', { access: 'auditor', limit: RATE_LIMITS.auditExport })
  async seals(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_after, p_limit, p_newest_first }: SealsRequest,
  ): Promise<LedgerSealsPage> {
    this.logger.log({ message: 'An auditor lists the seals of the ledger.', auditor });
    const limit = p_limit ?? PAGE_SIZES.ledgerSeals;
    return this.queries.execute(
      new ListLedgerSeals({ after: p_after ?? null, limit, newestFirst: p_newest_first ?? false }),
    );
  }

  @Rpc('get_ledger_seal', { access: 'auditor', limit: RATE_LIMITS.auditExport })
  async seal(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_number: number, p_offset }: SealPartRequest,
  ): Promise<LedgerSealPart> {
    this.logger.log({ message: 'An auditor reads a seal.', auditor, number });
    return this.queries.execute(new GetLedgerSeal({ number, offset: p_offset ?? 0 }));
  }

  @Rpc('get_ledger_proof', { access: 'auditor', limit: RATE_LIMITS.audit })
  async proof(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_user_id: userId, p_number: number }: LedgerProofRequest,
  ): Promise<LedgerProof> {
    this.logger.log({ message: 'An auditor reads the proof of an account.', auditor, userId, number });
    return this.queries.execute(new GetLedgerProof({ userId, number: number ?? null }));
  }

  @Rpc('get_ledger_verification', { access: 'auditor', limit: RATE_LIMITS.audit })
  async verification(@CurrentUser() { userId: auditor }: Principal): Promise<LedgerVerification> {
    this.logger.log({ message: 'An auditor reads the state of the verification.', auditor });
    return this.queries.execute(new GetLedgerVerification());
  }

  @Rpc('export_ledger_events', { ...AUDITOR, limit: RATE_LIMITS.auditExport })
  async export(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_cursor: cursor, p_limit }: ExportEventsRequest,
  ): Promise<LedgerExportPage> {
    if (cursor === undefined) this.logger.log({ message: 'An auditor begins an export of the ledger.', auditor });
    const limit = p_limit ?? PAGE_SIZES.exportedEvents;
    return this.queries.execute(new ExportLedgerEvents({ cursor: cursor ?? null, limit }));
  }

  /** The public key of exports and seals. Auditors keep a copy and compare its fingerprint over a second channel. */
  @Endpoint('GET /ledger/public-key.pem', { access: 'public', limit: RATE_LIMITS.publicData })
  @Header('Content-Type', 'application/x-pem-file')
  async publicKey(): Promise<string> {
    return publicPem(await this.keys.currentPublic());
  }

  /** Every replacement of the key, the oldest first: a line each, signed by the old and the new key. */
  @Endpoint('GET /ledger/key-rotations.ndjson', { access: 'public', limit: RATE_LIMITS.publicData })
  @Header('Content-Type', 'application/x-ndjson')
  async keyRotations(): Promise<string> {
    return (await this.keys.rotations()).map((rotation) => `${canonicalJson({ ...rotation })}\n`).join('');
  }

  @Rpc('request_ledger_verification', { access: 'auditor', limit: RATE_LIMITS.ledgerVerification })
  async requestRun(@CurrentUser() { userId: auditor }: Principal): Promise<VerificationRun> {
    const run = await this.commands.execute(new RequestVerification(auditor));
    this.logger.log({ message: 'An auditor asks for a full verification.', auditor, run: run.id });
    return run;
  }

  @Rpc('list_verification_runs', { access: 'auditor', limit: RATE_LIMITS.auditExport })
  async runs(@Body() { p_after, p_limit }: VerificationRunsRequest): Promise<VerificationRunsPage> {
    const limit = p_limit ?? PAGE_SIZES.verificationRuns;
    return this.queries.execute(new ListVerificationRuns({ after: p_after ?? null, limit }));
  }

  private logAccount({ userId: auditor }: Principal, call: string, userId: string): void {
    this.logger.log({ message: 'An auditor reads an account.', auditor, call, userId });
  }
}

function instantOf(name: string, text: string): Date {
  const instant = parseInstant(text);
  if (instant) return instant;
  throw new ApiError(400, `${name} must be an instant such as 2026-03-10 or 2026-03-10T09:00:00Z.`);
}
