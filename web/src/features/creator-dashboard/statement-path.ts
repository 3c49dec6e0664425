/**
 * Address of the statement of a month.
 * @param creatorId of another creator, for admins and finance; null for the caller's own
 */
export function statementPath(month: string, creatorId: string | null): string {
  const query = creatorId === null ? '' : `?${new URLSearchParams({ creator: creatorId }).toString()}`;
  return `/creator/statement/${month}${query}`;
}
