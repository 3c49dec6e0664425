import { type AdminCalls } from './admin.js';
import { type CreditCalls } from './credits.js';
import { type IdentityCalls } from './identity.js';
import { type Suspension } from './moderation.js';
import { type ReconciliationCalls } from './reconciliation.js';

/**
 * `get_frame`: what the frame of a page shows of its reader. Each part is the answer of a call of its own; a part that
 * could not be read, or that is not for this reader or area, is absent.
 */
export interface Frame {
  /** `get_own_roles_by_jwt` */
  readonly roles?: IdentityCalls['get_own_roles_by_jwt']['response'];
  /** The reader has a creator record, in any status. */
  readonly is_creator?: boolean;
  /** `has_active_pending_generation_jwt` */
  readonly has_active_generation?: boolean;
  /** `get_own_suspension_by_jwt` */
  readonly suspension?: Suspension | null;
  /** `get_user_credit_breakdown`; on the site. */
  readonly credits?: CreditCalls['get_user_credit_breakdown']['response'];
  /** `get_admin_counts`; in the admin area, for admins. */
  readonly admin_counts?: AdminCalls['get_admin_counts']['response'];
  /** `get_open_difference_count`; in the finance area, for finance and admins. */
  readonly open_differences?: ReconciliationCalls['get_open_difference_count']['response'];
}

export interface FrameRequest {
  /** The work area of the page. Absent: a page of the site. */
  readonly p_area?: 'admin' | 'audit' | 'finance';
}

export interface FrameCalls {
  /** The caller's roles and balance, and what is open, once a load of a page. Opens the account on a first visit. */
  get_frame: { request: FrameRequest; response: Frame };
}
