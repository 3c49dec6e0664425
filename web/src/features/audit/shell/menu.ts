import type { AreaPage } from '../../../components/work-area/area-pages.js';

/** The pages of the audit area, in the order of the header. */
export const AUDIT_PAGES: readonly AreaPage[] = [
  { path: '/audit', label: 'Accounts', letter: 'A' },
  { path: '/audit/seals', label: 'Seals', letter: 'S' },
  { path: '/audit/verification', label: 'Verification', letter: 'V' },
  { path: '/audit/export', label: 'Export', letter: 'E' },
];
