import type { RpcResponse } from '../../../../../src/contract/calls.js';
import type { AreaPage } from '../../../components/work-area/area-pages.js';

/** A page of the admin area. */
export interface AdminPage extends AreaPage {
  /** The number of things that wait there, by its name in `get_admin_counts`. */
  readonly count?: keyof RpcResponse<'get_admin_counts'>;
}

/** All pages, in the order of the header. */
export const ADMIN_PAGES: readonly AdminPage[] = [
  { path: '/admin', label: 'Dashboard', letter: 'D' },
  { path: '/admin/gallery', label: 'Creators', letter: 'C' },
  { path: '/admin/applications', label: 'Applications', letter: 'A', count: 'applications' },
  { path: '/admin/reports', label: 'Reports', letter: 'R', count: 'reports' },
  { path: '/admin/revenue-management', label: 'Revenue', letter: 'V' },
  { path: '/admin/users', label: 'Users', letter: 'U' },
  { path: '/admin/log', label: 'Log', letter: 'L' },
];
