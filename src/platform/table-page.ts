/** A page of a table that is sorted by its one order column. */
export interface TablePage {
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}
