import type { AreaPage } from './area-routes.js';

/** The pages of the finance area. */
export const financePages: readonly AreaPage[] = [
  { path: '/finance', load: () => import('../features/finance/overview/overview-page.js') },
  { path: '/finance/payouts', load: () => import('../features/finance/payouts/payouts-page.js') },
  { path: '/finance/payouts/record', load: () => import('../features/finance/payouts/transfers-page.js') },
  { path: '/finance/payouts/runs/:runId', load: () => import('../features/finance/payouts/run-page.js') },
  { path: '/finance/payouts/reports/:reportId', load: () => import('../features/finance/payouts/report-page.js') },
  {
    path: '/finance/payouts/creators/:creatorId',
    load: () => import('../features/finance/payouts/creator-payouts-page.js'),
  },
  {
    path: '/finance/reconciliation',
    load: () => import('../features/finance/reconciliation/reconciliation-page.js'),
  },
  { path: '/finance/deferred', load: () => import('../features/finance/deferred/deferred-page.js') },
  { path: '/finance/creators', load: () => import('../features/finance/creators/creators-page.js') },
  { path: '/finance/balance', load: () => import('../features/finance/balance/balance-page.js') },
  { path: '/finance/exports', load: () => import('../features/finance/exports/exports-page.js') },
  { path: '/finance/entries', load: () => import('../features/finance/entries/entries-page.js') },
  { path: '/finance/events/:userId/:version', load: () => import('../features/finance/events/event-page.js') },
  { path: '/finance/find', load: () => import('../features/finance/find/find-page.js') },
];
