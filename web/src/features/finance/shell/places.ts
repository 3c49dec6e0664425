import type { Place } from '../../../components/work-area/places.js';

/** The places of the finance area, in the order of the header. */
export const PLACES: readonly Place[] = [
  { path: '/finance', label: 'Overview', letter: 'O' },
  { path: '/finance/payouts', label: 'Payouts', letter: 'P' },
  { path: '/finance/reconciliation', label: 'Reconciliation', letter: 'R' },
  { path: '/finance/deferred', label: 'Deferred', letter: 'D' },
  { path: '/finance/creators', label: 'Creators', letter: 'C' },
  { path: '/finance/balance', label: 'Trial balance', letter: 'T' },
  { path: '/finance/exports', label: 'Exports', letter: 'E' },
];
