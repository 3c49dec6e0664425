import type { RpcResponse } from '../../../../../src/contract/calls.js';
import type { Place } from '../../../components/work-area/places.js';

/** A place of the admin area. */
export interface AdminPlace extends Place {
  /** The number of things that wait there, by its name in `get_admin_counts`. */
  readonly count?: keyof RpcResponse<'get_admin_counts'>;
}

/** All places, in the order of the header. */
export const PLACES: readonly AdminPlace[] = [
  { path: '/admin', label: 'Dashboard', letter: 'D' },
  { path: '/admin/gallery', label: 'Creators', letter: 'C' },
  { path: '/admin/applications', label: 'Applications', letter: 'A', count: 'applications' },
  { path: '/admin/reports', label: 'Reports', letter: 'R', count: 'reports' },
  { path: '/admin/revenue-management', label: 'Revenue', letter: 'V' },
  { path: '/admin/users', label: 'Users', letter: 'U' },
  { path: '/admin/log', label: 'Log', letter: 'L' },
];
