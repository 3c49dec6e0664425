import type { RpcResponse } from '../../../../../src/contract/calls.js';

/** A place of the admin area. */
export interface Place {
  readonly path: string;
  readonly label: string;
  /** Pressed after G. */
  readonly letter: string;
  /** The number of things that wait there, by its name in `get_admin_counts`. */
  readonly count?: keyof RpcResponse<'get_admin_counts'>;
}

/** All places, in the order of the header. */
export const PLACES: readonly Place[] = [
  { path: '/admin', label: 'Dashboard', letter: 'D' },
  { path: '/admin/gallery', label: 'Creators', letter: 'C' },
  { path: '/admin/applications', label: 'Applications', letter: 'A', count: 'applications' },
  { path: '/admin/reports', label: 'Reports', letter: 'R', count: 'reports' },
  { path: '/admin/revenue-management', label: 'Revenue', letter: 'V' },
  { path: '/admin/users', label: 'Users', letter: 'U' },
  { path: '/admin/log', label: 'Log', letter: 'L' },
];

/** The place that a path belongs to: the longest one that it begins with. */
export function placeOf(pathname: string): Place | undefined {
  return PLACES.filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`)).at(-1);
}
