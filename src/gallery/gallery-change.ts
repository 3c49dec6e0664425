/** The change of a gallery by a save, for the log of acts. */
export interface GalleryChange {
  readonly added: number;
  readonly removed: number;
  /** The images that stay have another order (creator spec, section 4). */
  readonly reordered: boolean;
}

/** Compares two orders of a gallery. Each has an id once. */
export function compareOrders(before: readonly string[], after: readonly string[]): GalleryChange {
  const old = new Set(before);
  const now = new Set(after);
  const stayed = before.filter((id) => now.has(id));
  const kept = after.filter((id) => old.has(id));
  return {
    added: after.length - kept.length,
    removed: before.length - stayed.length,
    reordered: kept.some((id, index) => id !== stayed[index]),
  };
}
