import type { AreaPage } from './area-routes.js';

/** The pages of the admin area. */
export const adminPages: readonly AreaPage[] = [
  { path: '/admin', load: () => import('../features/admin/dashboard/dashboard-page.js') },
  { path: '/admin/reports', load: () => import('../features/admin/reports/reports-page.js') },
  { path: '/admin/applications', load: () => import('../features/admin/applications/applications-page.js') },
  { path: '/admin/revenue-management', load: () => import('../features/admin/revenue/revenue-page.js') },
  { path: '/admin/revenue-management/:creatorId', load: () => import('./pages/admin-creator-view-page.js') },
  { path: '/admin/model-deletions', load: () => import('../features/admin/models/model-deletions-page.js') },
  { path: '/admin/users', load: () => import('../features/admin/users/users-page.js') },
  { path: '/admin/users/:userId', load: () => import('../features/admin/users/user-page.js') },
  { path: '/admin/gallery', load: () => import('./pages/admin-creators-page.js') },
  { path: '/admin/gallery/:username', load: () => import('./pages/admin-gallery-page.js') },
  { path: '/admin/log', load: () => import('../features/admin/log/log-page.js') },
];
