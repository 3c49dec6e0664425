import { Body, Controller, Query, StreamableFile } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  BankReportRequest,
  CancelRunRequest,
  CreatorPayoutsRequest,
  DraftRunRequest,
  EndPayoutRequest,
  HoldPayoutsRequest,
  PayoutFileRequest,
  PayoutFilesRequest,
  PayoutRunById,
  PayoutRunsRequest,
  RecordTransfersRequest,
  ReleasePayoutsRequest,
  RunCreatorsRequest,
  TakeBackFileRequest,
} from '../../contract/calls/payouts.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import {
  type BankReport,
  type CreatorPayouts,
  type PayoutActAnswer,
  type PayoutFile,
  type PayoutFiles,
  type PayoutRun,
  type PayoutRunCreators,
  type PayoutRuns,
  type PayoutRunSums,
  type TransfersTaken,
} from '../../contract/payouts.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Acting, type Actor } from '../../platform/acts/actor.js';
import { DomainError } from '../../platform/domain-error.js';
import { type BodyOptions } from '../../platform/http/json-body.js';
import { instant } from '../../platform/http/instants.js';
import { ADMIN_MONEY, Endpoint, FINANCE, Rpc } from '../../platform/http/routes.js';
import { isUuid } from '../../platform/ids.js';
import { GetBankReport } from '../reads/bank-report.js';
import { ListCreatorPayouts, cursorOf } from '../reads/creator-payouts.js';
import { ListPayoutFiles } from '../reads/payout-files.js';
import { ListPayoutRunCreators } from '../reads/payout-run-creators.js';
import { GetPayoutRun, ListPayoutRuns, toPayoutRun } from '../reads/payout-runs.js';
import { AdvancePayoutRun } from '../use-cases/advance-payout-run.js';
import { EndPayout, HoldPayouts, ReleasePayouts } from '../use-cases/change-payout.js';
import { DownloadPayoutFile } from '../use-cases/download-payout-file.js';
import { DraftPayoutRun } from '../use-cases/draft-payout-run.js';
import { MakePayoutFile } from '../use-cases/make-payout-file.js';
import { RecordTransfers } from '../use-cases/record-transfers.js';
import { TakeBackPayoutFile } from '../use-cases/take-back-payout-file.js';

const READ = { ...FINANCE, limit: RATE_LIMITS.financeData } as const;
/** An instant in the message about another text. */
const MIDNIGHT = '2026-11-20T00:00:00Z';
/** Preparing a run moves no money. */
const PREPARE = { ...ADMIN_MONEY, ...FINANCE } as const;

/** Body of a file of the bank: line ends take two bytes, and a quoted field has quotation marks. */
export const FILE_BODY = { maxBodyBytes: 4 * 1024 * 1024 } as const satisfies BodyOptions;

/** Payouts to creators, for finance and admins. */
@Controller()
export class PayoutsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
  ) {}

  @Rpc('list_payout_runs', READ)
  async runs(@Body() { p_limit, p_before }: PayoutRunsRequest): Promise<PayoutRuns> {
    return this.queries.execute(new ListPayoutRuns({ limit: p_limit ?? PAGE_SIZES.payouts, before: p_before ?? null }));
  }

  @Rpc('get_payout_run', READ)
  async run(@Body() { p_run_id }: PayoutRunById): Promise<PayoutRunSums> {
    return this.queries.execute(new GetPayoutRun(p_run_id));
  }

  @Rpc('list_payout_run_creators', READ)
  async runCreators(
    @Body() { p_run_id: runId, p_skipped, p_limit, p_after }: RunCreatorsRequest,
  ): Promise<PayoutRunCreators> {
    const page = { limit: p_limit ?? PAGE_SIZES.payouts, after: p_after ?? null };
    return this.queries.execute(new ListPayoutRunCreators({ runId, skipped: p_skipped ?? null, ...page }));
  }

  @Rpc('list_payout_files', READ)
  async files(@Body() { p_run_id: runId, p_limit, p_before }: PayoutFilesRequest): Promise<PayoutFiles> {
    const page = { limit: p_limit ?? PAGE_SIZES.payouts, before: p_before ?? null };
    return this.queries.execute(new ListPayoutFiles({ runId, ...page }));
  }

  @Rpc('list_creator_payouts', READ)
  async creatorPayouts(@Body() { p_creator_id, p_limit, p_before }: CreatorPayoutsRequest): Promise<CreatorPayouts> {
    const limit = p_limit ?? PAGE_SIZES.payouts;
    const before = p_before == null ? null : cursorOf(p_before);
    return this.queries.execute(new ListCreatorPayouts({ creatorId: p_creator_id, limit, before }));
  }

  @Rpc('get_bank_report', READ)
  async bankReport(@Body() { p_report_id, p_limit, p_after }: BankReportRequest): Promise<BankReport> {
    const page = { limit: p_limit ?? PAGE_SIZES.payouts, after: p_after ?? 0 };
    return this.queries.execute(new GetBankReport({ reportId: p_report_id, ...page }));
  }

  @Rpc('draft_payout_run', PREPARE)
  async draft(@Acting() by: Actor, @Body() { p_run_id: runId, p_cutoff }: DraftRunRequest): Promise<PayoutRun> {
    const cutoff = p_cutoff === undefined ? null : instant(p_cutoff, 'p_cutoff', MIDNIGHT);
    return toPayoutRun(await this.commands.execute(new DraftPayoutRun({ runId, cutoff, by })));
  }

  @Rpc('fix_payout_run', PREPARE)
  async fix(@Acting() by: Actor, @Body() { p_run_id: runId }: PayoutRunById): Promise<PayoutRun> {
    return toPayoutRun(await this.commands.execute(new AdvancePayoutRun({ runId, step: 'fix', by, reason: null })));
  }

  @Rpc('check_payout_run', ADMIN_MONEY)
  async check(@Acting() by: Actor, @Body() { p_run_id: runId }: PayoutRunById): Promise<PayoutRun> {
    return toPayoutRun(await this.commands.execute(new AdvancePayoutRun({ runId, step: 'check', by, reason: null })));
  }

  @Rpc('cancel_payout_run', PREPARE)
  async cancel(@Acting() by: Actor, @Body() { p_run_id: runId, p_reason }: CancelRunRequest): Promise<PayoutRun> {
    const reason = p_reason.trim();
    return toPayoutRun(await this.commands.execute(new AdvancePayoutRun({ runId, step: 'cancel', by, reason })));
  }

  @Rpc('make_payout_file', ADMIN_MONEY)
  async makeFile(@Acting() by: Actor, @Body() { p_run_id, p_file }: PayoutFileRequest): Promise<PayoutFile> {
    return this.commands.execute(new MakePayoutFile({ runId: p_run_id, file: p_file, by }));
  }

  @Endpoint('GET /exports/payout-file.csv', { ...ADMIN_MONEY, unlimitedDatabaseTime: true })
  async file(@Acting() by: Actor, @Query() { run_id: runId, file }: Record<string, unknown>): Promise<StreamableFile> {
    if (typeof runId !== 'string' || !isUuid(runId)) throw new DomainError('invalid', 'run_id must be the id of a run');
    if (typeof file !== 'string' || !/^[1-9]\d{0,3}$/.test(file)) {
      throw new DomainError('invalid', 'file must be the number of a file');
    }
    const csv = await this.commands.execute(new DownloadPayoutFile({ runId, file: Number(file), by }));
    const disposition = `attachment; filename="fanvas-payouts-${file}.csv"`;
    return new StreamableFile(Buffer.from(csv), { type: 'text/csv; charset=utf-8', disposition });
  }

  @Rpc('take_back_payout_file', ADMIN_MONEY)
  async takeBackFile(
    @Acting() by: Actor,
    @Body() { p_run_id: runId, p_file: file, p_reason }: TakeBackFileRequest,
  ): Promise<PayoutActAnswer> {
    await this.commands.execute(new TakeBackPayoutFile({ runId, file, reason: p_reason.trim(), by }));
    return { success: true };
  }

  @Rpc('end_payout', ADMIN_MONEY)
  async end(
    @Acting() by: Actor,
    @Body() { p_payout_id: payoutId, p_end: end, p_reason }: EndPayoutRequest,
  ): Promise<PayoutActAnswer> {
    await this.commands.execute(new EndPayout({ payoutId, end, reason: p_reason.trim(), by }));
    return { success: true };
  }

  @Rpc('hold_payouts', ADMIN_MONEY)
  async hold(
    @Acting() by: Actor,
    @Body() { p_creator_id: creatorId, p_until, p_reason }: HoldPayoutsRequest,
  ): Promise<PayoutActAnswer> {
    const until = instant(p_until, 'p_until', MIDNIGHT);
    await this.commands.execute(new HoldPayouts({ creatorId, until, reason: p_reason.trim(), by }));
    return { success: true };
  }

  @Rpc('release_payouts', ADMIN_MONEY)
  async release(
    @Acting() by: Actor,
    @Body() { p_creator_id: creatorId, p_reason }: ReleasePayoutsRequest,
  ): Promise<PayoutActAnswer> {
    await this.commands.execute(new ReleasePayouts({ creatorId, reason: p_reason.trim(), by }));
    return { success: true };
  }

  @Rpc('record_transfers', { ...ADMIN_MONEY, ...FILE_BODY })
  async record(@Acting() by: Actor, @Body() { p_file: file }: RecordTransfersRequest): Promise<TransfersTaken> {
    const { reportId, lines } = await this.commands.execute(new RecordTransfers({ file, by }));
    return { report_id: reportId, lines };
  }
}
