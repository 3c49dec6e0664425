import type { Place } from '../../../components/work-area/places.js';

/** The places of the audit area, in the order of the header. */
export const PLACES: readonly Place[] = [
  { path: '/audit', label: 'Accounts', letter: 'A' },
  { path: '/audit/seals', label: 'Seals', letter: 'S' },
  { path: '/audit/verification', label: 'Verification', letter: 'V' },
  { path: '/audit/export', label: 'Export', letter: 'E' },
];
