/**
 * Merges two sets of changes to one gallery. Additions and removals of both sides are kept; an image that one side has
 * removed and the other has moved is removed.
 *
 * The order is the first side's when it moved images, else the second side's. Additions of the other side follow the
 * image that they follow there.
 * @param base the ids that both sides started with
 * @param mine the ids of the first side
 * @param theirs the ids of the second side
 */
export function mergeGalleries(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const inBase = new Set(base);
  const inMine = new Set(mine);
  const inTheirs = new Set(theirs);
  const kept = (id: string): boolean => (inMine.has(id) && inTheirs.has(id)) || !inBase.has(id);
  const moved = !isSameOrder(
    mine.filter((id) => inBase.has(id)),
    base.filter((id) => inMine.has(id)),
  );
  const [order, other] = moved ? [mine, theirs] : [theirs, mine];
  return withInserted(order.filter(kept), other.filter(kept));
}

/** Whether two lists hold the same ids in the same order. */
export function isSameOrder(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index]);
}

/** Adds the ids of `other` that `order` lacks, each behind the id that precedes it in `other`. */
function withInserted(order: readonly string[], other: readonly string[]): string[] {
  const present = new Set(order);
  const followers = new Map<string | null, string[]>();
  let before: string | null = null;
  for (const id of other) {
    if (present.has(id)) before = id;
    else followers.set(before, [...(followers.get(before) ?? []), id]);
  }
  return [null, ...order].flatMap((id) => [...(id === null ? [] : [id]), ...(followers.get(id) ?? [])]);
}
