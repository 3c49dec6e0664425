import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  CheckoutById,
  CreditProposalsRequest,
  DecideProposalRequest,
  PageOfUser,
  PreviewRefundRequest,
  ProposeCreditsRequest,
  SearchUsersRequest,
  UserReportsRequest,
} from '../../contract/calls/admin-users.js';
import { AccountEventRequest, PageRequest, UserById } from '../../contract/calls/shared.js';
import {
  type AdminTransaction,
  type AdminUser,
  type AdminUserRow,
  type CreditProposal,
  type AdminUserImage,
  type AdminUserReport,
  type LedgerEventDetail,
  type ListedProposal,
  type RefundPreview,
  type StatementMonth,
  type StuckCheckout,
} from '../../contract/admin-users.js';
import { type RpcResponse } from '../../contract/calls.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { type Purchase } from '../../contract/payments.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { DecideCreditProposal, ListAccountHistory, ListProposals, ProposeCredits } from '../../credits/index.js';
import { ListPurchases, ListStuckCheckouts, PreviewRefund, RetryCheckout } from '../../payments/index.js';
import { Acting, type Actor } from '../../platform/acts/actor.js';
import { ADMIN_MONEY, ADMIN_READ, CurrentUser, Rpc } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { GetLedgerEvent } from '../reads/get-ledger-event.js';
import { GetUserForAdmins } from '../reads/get-user.js';
import { Proposals } from '../reads/proposals.js';
import { ListUserImages } from '../reads/list-user-images.js';
import { ListUserReports } from '../reads/list-user-reports.js';
import { ListUserStatement } from '../reads/list-user-statement.js';
import { SearchUsers } from '../reads/search-users.js';

/** Users, their accounts and their payments, for admins. */
@Controller()
export class UsersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly proposals: Proposals,
  ) {}

  @Rpc('search_users_admin', ADMIN_READ)
  async search(@Body() request: SearchUsersRequest): Promise<AdminUserRow[]> {
    const { p_search: search, p_filter: filter, p_sort: sort, p_limit: limit, p_offset: offset = 0 } = request;
    return this.queries.execute(
      new SearchUsers({
        search: search ?? '',
        filter: filter ?? null,
        sort: sort ?? 'joined',
        limit: limit ?? PAGE_SIZES.users,
        offset,
      }),
    );
  }

  @Rpc('get_user_admin', ADMIN_READ)
  async user(
    @CurrentUser() { userId: adminId }: Principal,
    @Body() { p_user_id: userId }: UserById,
  ): Promise<AdminUser> {
    return this.queries.execute(new GetUserForAdmins({ userId, adminId }));
  }

  @Rpc('get_user_purchases_admin', ADMIN_READ)
  async purchases(@Body() request: PageOfUser): Promise<Purchase[]> {
    const { p_user_id: userId, p_limit: limit = PAGE_SIZES.purchases, p_offset: offset = 0 } = request;
    return this.queries.execute(new ListPurchases({ userId, limit, offset }));
  }

  @Rpc('get_user_ledger_admin', ADMIN_READ)
  async ledger(@Body() request: PageOfUser): Promise<AdminTransaction[]> {
    const { p_user_id: userId, p_limit: limit = PAGE_SIZES.accountHistory, p_offset: offset = 0 } = request;
    return this.queries.execute(new ListAccountHistory({ userId, limit, offset }));
  }

  @Rpc('get_user_statement_admin', ADMIN_READ)
  async statement(@Body() request: PageOfUser): Promise<StatementMonth[]> {
    const { p_user_id: userId, p_limit: limit = PAGE_SIZES.revenueMonths, p_offset: offset = 0 } = request;
    return this.queries.execute(new ListUserStatement({ userId, limit, offset }));
  }

  @Rpc('get_user_images_admin', ADMIN_READ)
  async images(@Body() request: PageOfUser): Promise<AdminUserImage[]> {
    const { p_user_id: userId, p_limit: limit = PAGE_SIZES.generations, p_offset: offset = 0 } = request;
    return this.queries.execute(new ListUserImages({ userId, limit, offset }));
  }

  @Rpc('get_user_reports_admin', ADMIN_READ)
  async reports(@Body() request: UserReportsRequest): Promise<AdminUserReport[]> {
    const { p_user_id: userId, p_about: about = false, p_limit: limit, p_offset: offset = 0 } = request;
    return this.queries.execute(new ListUserReports({ userId, about, limit: limit ?? PAGE_SIZES.userReports, offset }));
  }

  @Rpc('get_ledger_event_admin', ADMIN_READ)
  async event(@Body() { p_user_id: userId, p_version: version }: AccountEventRequest): Promise<LedgerEventDetail> {
    return this.queries.execute(new GetLedgerEvent({ userId, version }));
  }

  @Rpc('propose_credits_admin', ADMIN_MONEY)
  async propose(@Acting() admin: Actor, @Body() request: ProposeCreditsRequest): Promise<CreditProposal> {
    const row = await this.commands.execute(
      new ProposeCredits({
        id: request.p_proposal_id,
        user_id: request.p_user_id,
        kind: request.p_kind,
        amount: request.p_amount,
        reason: request.p_reason.trim(),
        admin,
      }),
    );
    return this.proposals.one(row, admin.userId);
  }

  @Rpc('list_credit_proposals_admin', ADMIN_READ)
  async openProposals(
    @CurrentUser() { userId: adminId }: Principal,
    @Body() request: CreditProposalsRequest,
  ): Promise<ListedProposal[]> {
    const { p_decided: decided = false, p_limit: limit = PAGE_SIZES.users, p_offset: offset = 0 } = request;
    const rows = await this.queries.execute(new ListProposals({ decided, limit, offset }));
    return this.proposals.all(rows, adminId);
  }

  @Rpc('decide_credit_proposal_admin', ADMIN_MONEY)
  async decide(@Acting() admin: Actor, @Body() request: DecideProposalRequest): Promise<CreditProposal> {
    const { p_proposal_id: id, p_approve: approve, p_reason: reason } = request;
    const row = await this.commands.execute(
      new DecideCreditProposal({ proposalId: id, approve, reason: reason?.trim() ?? null, admin }),
    );
    return this.proposals.one(row, admin.userId);
  }

  @Rpc('preview_refund_admin', ADMIN_READ)
  async previewRefund(@Body() { p_session_id: sessionId, p_credits }: PreviewRefundRequest): Promise<RefundPreview> {
    return this.queries.execute(new PreviewRefund({ sessionId, credits: p_credits ?? null }));
  }

  @Rpc('list_stuck_checkouts_admin', ADMIN_READ)
  async stuckCheckouts(@Body() request: PageRequest): Promise<StuckCheckout[]> {
    const { p_limit: limit = PAGE_SIZES.users, p_offset: offset = 0 } = request;
    return this.queries.execute(new ListStuckCheckouts({ limit, offset }));
  }

  @Rpc('retry_checkout_admin', { access: 'admin', freshRoles: true, limit: RATE_LIMITS.financialOps })
  async retry(
    @Acting() admin: Actor,
    @Body() { p_session_id: sessionId }: CheckoutById,
  ): Promise<RpcResponse<'retry_checkout_admin'>> {
    return { success: true, status: await this.commands.execute(new RetryCheckout({ sessionId, admin })) };
  }
}
