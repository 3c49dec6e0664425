import { type AdminCalls } from './calls/admin.js';
import { type CreditCalls } from './calls/credits.js';
import { type IdentityCalls } from './calls/identity.js';
import { type Suspension } from './moderation.js';
import { type ReconciliationCalls } from './calls/reconciliation.js';

export const WORK_AREAS = ['admin', 'audit', 'finance'] as const;
/** A work area of pages. */
export type WorkArea = (typeof WORK_AREAS)[number];

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
