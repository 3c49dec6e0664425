import { RESERVED_SEGMENTS } from '../../../src/contract/paths.js';

/** True when `/segment` belongs to the product. Names with a dot are files, names with `__` belong to the sandboxes. */
export function isReservedSegment(segment: string): boolean {
  const name = segment.toLowerCase();
  return RESERVED_SEGMENTS.has(name) || name.includes('.') || name.startsWith('__');
}

/** The path of `/@name` or of a page below it without the @; null for every other path. */
export function withoutAt(pathname: string): string | null {
  const bare = /^\/(?:@|%40)([^/@]+(?:\/.*)?)$/i.exec(pathname)?.[1];
  return bare === undefined ? null : `/${bare}`;
}
