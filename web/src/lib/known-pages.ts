const known = new Set<string>();

/** Tells which pages there are; the route table does, before any page is loaded. */
export function announcePages(paths: readonly string[]): void {
  for (const path of paths) known.add(path.replace(/\/\*$/, ''));
}

/** True when the path has a page. For pages, which cannot ask the route table that loads them. */
export function isKnownPage(path: string): boolean {
  return known.has(path);
}
