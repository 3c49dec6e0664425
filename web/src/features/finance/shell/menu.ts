import type { AreaPage } from '../../../components/work-area/area-pages.js';

/** The pages of the finance area, in the order of the header. */
export const FINANCE_PAGES: readonly AreaPage[] = [
  { path: '/finance', label: 'Overview', letter: 'O' },
  { path: '/finance/payouts', label: 'Payouts', letter: 'P' },
  { path: '/finance/reconciliation', label: 'Reconciliation', letter: 'R' },
  { path: '/finance/deferred', label: 'Deferred', letter: 'D' },
  { path: '/finance/creators', label: 'Creators', letter: 'C' },
  { path: '/finance/balance', label: 'Trial balance', letter: 'T' },
  { path: '/finance/exports', label: 'Exports', letter: 'E' },
];
