import { type CreatorSort } from '../../../../../src/contract/applications.js';

/** The orders of revenue management, the default first (creator spec, section 9). */
export const CREATOR_SORTS: readonly { readonly id: CreatorSort; readonly label: string }[] = [
  { id: 'all_time_revenue', label: 'All-time revenue, high to low' },
  { id: 'month_revenue', label: "This month's revenue, high to low" },
  { id: 'paid_generations', label: 'Paid generations, high to low' },
  { id: 'total_generations', label: 'Total generations, high to low' },
  { id: 'name', label: 'Name, A to Z' },
  { id: 'newest', label: 'Newest first' },
];

/** The order that an address asks for; the default for any other text. */
export function sortOf(text: string | null): CreatorSort {
  return CREATOR_SORTS.find(({ id }) => id === text)?.id ?? 'all_time_revenue';
}
