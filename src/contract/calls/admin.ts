import { type AdminHealth, type AdminOverview } from '../admin.js';
import { type Count, type NoParameters } from '../scalars.js';

export interface AdminCalls {
  get_admin_overview: { request: NoParameters; response: AdminOverview };
  /** Counts of the places in the navigation. */
  get_admin_counts: {
    request: NoParameters;
    response: { readonly applications: Count; readonly reports: Count; readonly urgent: Count };
  };
  get_admin_health: { request: NoParameters; response: AdminHealth };
}
