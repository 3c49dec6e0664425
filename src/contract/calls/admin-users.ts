import { IsBoolean, IsIn, IsString, Length } from 'class-validator';
import {
  type AdminTransaction,
  type AdminUser,
  type AdminUserImage,
  type AdminUserReport,
  type AdminUserRow,
  type CreditProposal,
  type LedgerEventDetail,
  type ListedProposal,
  type RefundPreview,
  type StatementMonth,
  type StuckCheckout,
  USER_FILTERS,
  USER_SORTS,
  type UserFilter,
  type UserSort,
} from '../admin-users.js';
import { REASON_MAX_LENGTH } from '../limits.js';
import { type Purchase } from '../payments.js';
import { type Credits } from '../scalars.js';
import { ID_LENGTH, IsId, IsPrintableId, IsReason, IsText, IsWhole, Optional } from './fields.js';
import { AccountEventRequest, PageRequest, UserById } from './shared.js';

/** Most credits of a proposal or of the preview of a refund. */
const MAX_CREDITS = 1_000_000;

export class SearchUsersRequest extends PageRequest {
  @Optional(IsText(200))
  p_search?: string | null;

  @Optional(IsIn(USER_FILTERS))
  p_filter?: UserFilter | null;

  /** By default `joined`. The filter `paid` has no order `joined`: it uses `paid`. */
  @Optional(IsIn(USER_SORTS))
  p_sort?: UserSort | null;
}

export class PageOfUser extends PageRequest {
  @IsPrintableId()
  p_user_id!: string;
}

export class UserReportsRequest extends PageOfUser {
  @Optional(IsBoolean())
  p_about?: boolean;
}

export class ProposeCreditsRequest extends UserById {
  /** Chosen by the caller. A repeated id is the same proposal. */
  @IsId()
  p_proposal_id!: string;

  @IsIn(['grant', 'adjust'])
  p_kind!: 'grant' | 'adjust';

  @IsWhole(1, MAX_CREDITS)
  p_amount!: Credits;

  /** Stored permanently: must not name a person. */
  @IsReason()
  p_reason!: string;
}

export class CreditProposalsRequest extends PageRequest {
  @Optional(IsBoolean())
  p_decided?: boolean;
}

export class DecideProposalRequest {
  @IsId()
  p_proposal_id!: string;

  @IsBoolean()
  p_approve!: boolean;

  @Optional(IsText(REASON_MAX_LENGTH))
  p_reason?: string | null;
}

export class CheckoutById {
  @IsString()
  @Length(1, ID_LENGTH)
  p_session_id!: string;
}

export class PreviewRefundRequest extends CheckoutById {
  @Optional(IsWhole(1, MAX_CREDITS))
  p_credits?: Credits | null;
}

export interface AdminUserCalls {
  /**
   * A page of users: in the chosen order, all or found by a part of the e-mail address or name, or by a whole id of
   * a user or generation. One or two letters find the newest 10,000 only. 12 by default.
   */
  search_users_admin: { request: SearchUsersRequest; response: AdminUserRow[] };
  get_user_admin: { request: UserById; response: AdminUser };
  /** A page of the user's purchases, the latest first; 20 by default. */
  get_user_purchases_admin: { request: PageOfUser; response: Purchase[] };
  /** A page of the account's history, the latest first; 16 by default. */
  get_user_ledger_admin: { request: PageOfUser; response: AdminTransaction[] };
  /** A page of the account's months, the latest first; 24 by default. Of the newest 10,000 transactions. */
  get_user_statement_admin: { request: PageOfUser; response: StatementMonth[] };
  /** A page of the user's images, the latest first; 12 by default. Without a creator's free tests. */
  get_user_images_admin: { request: PageOfUser; response: AdminUserImage[] };
  /** A page of reports by the user, or about images of the user, the latest first; 20 by default. */
  get_user_reports_admin: { request: UserReportsRequest; response: AdminUserReport[] };
  /** An event of a user's account, by its version. */
  get_ledger_event_admin: { request: AccountEventRequest; response: LedgerEventDetail };
  /** For amounts above the caller's daily limit. Nothing changes until another admin approves. */
  propose_credits_admin: { request: ProposeCreditsRequest; response: CreditProposal };
  /** A page of proposals: open ones, the oldest first, or decided ones, the latest first. 12 by default. */
  list_credit_proposals_admin: { request: CreditProposalsRequest; response: ListedProposal[] };
  decide_credit_proposal_admin: { request: DecideProposalRequest; response: CreditProposal };
  preview_refund_admin: { request: PreviewRefundRequest; response: RefundPreview };
  list_stuck_checkouts_admin: { request: PageRequest; response: StuckCheckout[] };
  /** Looks at the payment again at the processor, and credits it when it is paid. */
  retry_checkout_admin: { request: CheckoutById; response: { readonly success: true; readonly status: string } };
}
