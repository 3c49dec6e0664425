import type { AreaPage } from './area-routes.js';

/** The pages of the audit area. */
export const auditPages: readonly AreaPage[] = [
  { path: '/audit', load: () => import('../features/audit/accounts/accounts-page.js') },
  { path: '/audit/accounts/:userId', load: () => import('../features/audit/accounts/account-page.js') },
  { path: '/audit/find', load: () => import('../features/audit/find/find-page.js') },
  { path: '/audit/seals', load: () => import('../features/audit/seals/seals-page.js') },
  { path: '/audit/verification', load: () => import('../features/audit/verification/verification-page.js') },
  { path: '/audit/export', load: () => import('../features/audit/export/export-page.js') },
];
