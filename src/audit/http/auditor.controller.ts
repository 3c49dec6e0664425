import { join } from 'node:path';
import { Body, Controller, Header, Inject, Logger } from '@nestjs/common';
import { type Pool } from 'pg';
import {
  AccountStatementRequest,
  BalanceAtRequest,
  ExportEventsRequest,
  FindEventsRequest,
  LedgerAccountsRequest,
  LedgerProofRequest,
  SealPartRequest,
  SealsRequest,
} from '../../contract/calls/audit.js';
import { AccountEventRequest } from '../../contract/calls/shared.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Clock } from '../../platform/clock.js';
import { PG_POOL } from '../../platform/database/database.js';
import { EventStore, type StoredEvent, StreamDeletedError } from '../../platform/event-store/event-store.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type Principal } from '../../platform/principal.js';
import { CurrentUser, Rpc, Endpoint } from '../../platform/http/routes.js';
import { ACCOUNT_STREAM_PREFIX, accountStream, userOfStream } from '../../credits/index.js';
import { readChainedEvent } from '../history/chained-event.js';
import { objectsOf } from '../history/event-objects.js';
import { proofsOf } from '../history/event-proofs.js';
import { balanceAt, statementOf, statementPage, type StatementLine } from '../history/account-history.js';
import { CursorError, ExportPages } from '../export/export-pages.js';
import { parseInstant } from '../../platform/instant.js';
import { readVerificationState } from '../continuous/verification-state.js';
import { coveringSeals, type CoveringSeal } from '../seals/covering-seal.js';
import { linesFrom, proveHead } from '../seals/head-proof.js';
import { findSealFile, lastSeal, SEAL_FOLDER, sealsAfter, sealsBefore } from '../seals/ledger-seals.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { type Records, RECORDS, RecordsError } from '../../platform/storage/records.js';
import { findEvents, type SearchSources } from '../search/find-events.js';
import { listAccounts, type ListedAccount } from '../search/list-accounts.js';
import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { LedgerKeys } from '../seals/ledger-keys.js';
import { publicPem } from '../seals/signing-key.js';
import {
  type AccountBalanceAt,
  type AccountEvent,
  type AccountProblem,
  type AccountStatement,
  type LedgerAccountsPage,
  type LedgerEventsPage,
  type LedgerExportPage,
  type LedgerProof,
  type LedgerSealPart,
  type LedgerSealsPage,
  type LedgerVerification,
} from '../../contract/audit.js';
import { textIn } from '../verify/read-account.js';

/** Problems in a response. */
const PROBLEMS_SHOWN = 20;

/** A report reads a whole account in pages. Each page has its own time limit. */
const AUDITOR = { access: 'auditor', unlimitedDatabaseTime: true } as const;

/**
 * The ledger for auditors, who only read. Every response is computed from the streams, and their chains and rules are
 * checked at the same time. Each request is logged with the auditor.
 */
@Controller()
export class AuditorController {
  private readonly logger = new Logger(AuditorController.name);
  private readonly sources: SearchSources;
  private readonly sealFolder: string;

  constructor(
    @Inject(PG_POOL) pool: Pool,
    private readonly eventStore: EventStore,
    private readonly clock: Clock,
    private readonly exports: ExportPages,
    private readonly keys: LedgerKeys,
    @Inject(RECORDS) private readonly copies: Records | null,
    @Inject(CONFIG) { dataDir }: Config,
  ) {
    this.sources = { pool, eventStore };
    this.sealFolder = join(dataDir, SEAL_FOLDER);
  }

  @Rpc('get_account_balance_at', { ...AUDITOR, limit: RATE_LIMITS.audit })
  async balance(
    @CurrentUser() auditor: Principal,
    @Body() { p_user_id: userId, p_at: at }: BalanceAtRequest,
  ): Promise<AccountBalanceAt> {
    const instant = at === undefined ? this.clock.now() : instantOf('p_at', at);
    await this.begin(auditor, 'get_account_balance_at', userId);
    const problems = new Problems();
    const found = await balanceAt(this.eventStore, userId, instant, problems.add);
    const { balance, open, owed, version, head } = found;
    return { user_id: userId, at: found.at, balance, open, owed, version, head, problems: problems.shown };
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
    await this.begin(auditor, 'get_account_statement', userId);
    const problems = new Problems();
    const { opening, closing, lines, totalLines } = await statementPage(
      statementOf(this.eventStore, userId, period, problems.add),
      {
        offset: p_offset ?? 0,
        limit: p_limit ?? PAGE_SIZES.statementLines,
        newestFirst: p_newest_first ?? false,
      },
    );
    return {
      user_id: userId,
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      opening,
      closing,
      lines: await this.toWireLines(lines),
      total_lines: totalLines,
      problems: problems.shown,
    };
  }

  private async toWireLines(lines: readonly StatementLine[]): Promise<AccountStatement['lines']> {
    const stored = lines.flatMap(({ recordedAt }) => recordedAt ?? []);
    const seals = (await coveringSeals(this.sources.pool, stored)).values();
    return lines.map((line) => toWireLine(line, line.recordedAt && (seals.next().value ?? null)));
  }

  /**
   * An event of an account: its content, its neighbours in the hash chain, its leaf in the public log, and its picture
   * and earnings.
   */
  @Rpc('get_account_event', { access: 'auditor', limit: RATE_LIMITS.auditExport })
  async event(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_user_id: userId, p_version: version }: AccountEventRequest,
  ): Promise<AccountEvent> {
    this.logger.log({ message: 'An auditor reads an event of an account.', auditor, userId, version });
    const found = await readChainedEvent(this.eventStore, accountStream(userId), version).catch((error: unknown) => {
      throw error instanceof StreamDeletedError ? deleted(error) : error;
    });
    if (!found) throw new ApiError(404, 'There is no such event.');
    const { stored, hash, previousHash, nextHash, intact } = found;
    const [proofs, objects] = await Promise.all([
      proofsOf(stored, this.sources.pool),
      objectsOf(stored, this.sources.pool),
    ]);
    return {
      event: toWireEvent(stored),
      recorded_at: stored.recordedAt.toISOString(),
      ...{ hash, previous_hash: previousHash, next_hash: nextHash, intact },
      ...proofs,
      ...objects,
    };
  }

  @Rpc('list_ledger_accounts', { access: 'auditor', limit: RATE_LIMITS.auditExport })
  async accounts(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_after: after, p_limit }: LedgerAccountsRequest,
  ): Promise<LedgerAccountsPage> {
    if (after === undefined) this.logger.log({ message: 'An auditor lists the accounts of the ledger.', auditor });
    const limit = p_limit ?? PAGE_SIZES.ledgerAccounts;
    const found = await listAccounts(this.sources, { after: after ?? null, limit, now: this.clock.now() });
    return {
      accounts: found.map(toWireAccount),
      next: found.length < limit ? null : (found.at(-1)?.userId ?? null),
    };
  }

  @Rpc('find_ledger_events', { ...AUDITOR, limit: RATE_LIMITS.audit })
  async find(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_id: id, p_after, p_limit }: FindEventsRequest,
  ): Promise<LedgerEventsPage> {
    this.logger.log({ message: 'An auditor searches the ledger.', auditor, id });
    const after = p_after ?? null;
    try {
      const page = { after, limit: p_limit ?? PAGE_SIZES.foundEvents };
      const { events, next, complete } = await findEvents(this.sources, id, page);
      return { events: events.map(toWireEvent), next, complete };
    } catch (error) {
      if (error instanceof RangeError) throw new ApiError(400, 'p_after was not issued by this ledger.');
      throw error;
    }
  }

  @Rpc('list_ledger_seals', { access: 'auditor', limit: RATE_LIMITS.auditExport })
  async seals(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_after, p_limit, p_newest_first }: SealsRequest,
  ): Promise<LedgerSealsPage> {
    this.logger.log({ message: 'An auditor lists the seals of the ledger.', auditor });
    const limit = p_limit ?? PAGE_SIZES.ledgerSeals;
    const { pool } = this.sources;
    const rows = p_newest_first
      ? await sealsBefore(pool, p_after ?? null, limit)
      : await sealsAfter(pool, p_after ?? 0, limit);
    const seals = rows.map(({ number, sealed_at: sealedAt, published_at: publishedAt, line }) => {
      return { number, sealed_at: sealedAt.toISOString(), published_at: publishedAt?.toISOString() ?? null, line };
    });
    return { seals, next: rows.length < limit ? null : (rows.at(-1)?.number ?? null) };
  }

  @Rpc('get_ledger_seal', { access: 'auditor', limit: RATE_LIMITS.auditExport })
  async seal(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_number: number, p_offset }: SealPartRequest,
  ): Promise<LedgerSealPart> {
    this.logger.log({ message: 'An auditor reads a seal.', auditor, number });
    const { lines, next } = await linesFrom(await this.sealFile(number), p_offset ?? 0);
    return { lines, next_offset: next };
  }

  /** Reads the whole seal. */
  @Rpc('get_ledger_proof', { access: 'auditor', limit: RATE_LIMITS.audit })
  async proof(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_user_id: userId, p_number: number }: LedgerProofRequest,
  ): Promise<LedgerProof> {
    this.logger.log({ message: 'An auditor reads the proof of an account.', auditor, userId, number });
    const proof = await proveHead(await this.sealFile(number ?? null), userId);
    if (!proof) throw new ApiError(404, 'The seal does not contain this account.');
    return proof;
  }

  /** @param number null for the newest seal */
  private async sealFile(number: number | null): Promise<string> {
    const { pool } = this.sources;
    const row = number === null ? await lastSeal(pool) : (await sealsAfter(pool, number - 1, 1))[0];
    if (!row || (number !== null && row.number !== number)) throw new ApiError(404, 'There is no such seal.');
    const file = await findSealFile({ folder: this.sealFolder, copies: this.copies }, row).catch((error: unknown) => {
      if (!(error instanceof RecordsError)) throw error;
      this.logger.error({ message: 'The file of a seal cannot be read.', number: row.number, error });
      throw new ApiError(503, 'The file of this seal cannot be read at the moment. Please try again in a moment.');
    });
    if (file === null) throw new ApiError(404, 'The file of this seal is on another instance, or with the archive.');
    return file;
  }

  @Rpc('get_ledger_verification', { access: 'auditor', limit: RATE_LIMITS.audit })
  async verification(@CurrentUser() { userId: auditor }: Principal): Promise<LedgerVerification> {
    this.logger.log({ message: 'An auditor reads the state of the verification.', auditor });
    const { verifiedUntil, succeededAt, events, problems, first } = await readVerificationState(
      this.sources.pool,
      PROBLEMS_SHOWN,
    );
    return {
      ...{ verified_until: verifiedUntil?.toISOString() ?? null, succeeded_at: succeededAt?.toISOString() ?? null },
      ...{ events, problems },
      first: first.map(({ stream, version, kind, foundAt, ...problem }) => {
        return { stream, version, kind, what: problem.what, found_at: foundAt.toISOString() };
      }),
    };
  }

  @Rpc('export_ledger_events', { ...AUDITOR, limit: RATE_LIMITS.auditExport })
  async export(
    @CurrentUser() { userId: auditor }: Principal,
    @Body() { p_cursor: cursor, p_limit: limit }: ExportEventsRequest,
  ): Promise<LedgerExportPage> {
    if (cursor === undefined) this.logger.log({ message: 'An auditor begins an export of the ledger.', auditor });
    try {
      const { lines, nextCursor, missing } = await this.exports.page(
        cursor ?? null,
        limit ?? PAGE_SIZES.exportedEvents,
      );
      return {
        lines,
        next_cursor: nextCursor,
        missing_accounts: missing.map((stream) =>
          stream.startsWith(ACCOUNT_STREAM_PREFIX) ? userOfStream(stream) : stream,
        ),
      };
    } catch (error) {
      if (error instanceof StreamDeletedError) throw deleted(error);
      if (error instanceof CursorError) throw new ApiError(400, 'p_cursor was not issued by this ledger.');
      throw error;
    }
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

  private async begin({ userId: auditor }: Principal, call: string, userId: string): Promise<void> {
    this.logger.log({ message: 'An auditor reads an account.', auditor, call, userId });
    const first = await this.eventStore.readStream(accountStream(userId), { limit: 1 }).catch((error: unknown) => {
      throw error instanceof StreamDeletedError ? deleted(error) : error;
    });
    if (first.length === 0) throw new ApiError(404, 'There is no account of this user.');
  }
}

function toWireAccount(account: ListedAccount): LedgerAccountsPage['accounts'][number] {
  const { userId: user_id, version, head, lastEventAt: last_event_at, balance, owed, balanceVersion } = account;
  return { user_id, version, head, last_event_at, balance, owed, balance_version: balanceVersion };
}

function toWireEvent({ stream, version, type, id, data, metadata }: StoredEvent): LedgerEventsPage['events'][number] {
  return { stream, version, type, at: textIn(metadata.occurredAt), event_id: id, data, metadata };
}

function deleted(cause: StreamDeletedError): ApiError {
  return new ApiError(410, 'The events of this account were deleted in the event store.', { cause });
}

class Problems {
  readonly shown: AccountProblem[] = [];
  readonly add = (problem: AccountProblem): void => {
    const { version, kind } = problem;
    if (this.shown.length < PROBLEMS_SHOWN) this.shown.push({ version, kind, what: problem.what });
  };
}

function toWireLine(line: StatementLine, seal: CoveringSeal | null): AccountStatement['lines'][number] {
  const { at, reference, amount, balance, version, hash } = line;
  return { at, what: line.what, reference, amount, balance, version, hash, seal: seal?.number ?? null };
}

function instantOf(name: string, text: string): Date {
  const instant = parseInstant(text);
  if (instant) return instant;
  throw new ApiError(400, `${name} must be an instant such as 2026-03-10 or 2026-03-10T09:00:00Z.`);
}
