/**
 * First path segments that are never a username: every route of the product, built or not, and every path that the
 * server answers itself. The server keeps its own list for choosing usernames.
 */
const RESERVED: ReadonlySet<string> = new Set([
  // pages for fans
  'sign-in',
  'sign-up',
  'oauth',
  'generation',
  'my-creations',
  'credits',
  'purchase-credits',
  'payment-success',
  'payment-canceled',
  'faq',
  'community-guidelines',
  'termsofuse',
  'privacypolicy',
  // pages for creators and admins
  'creator',
  'creator-terms',
  'creator-requirements',
  'admin',
  // answered by the server
  'assets',
  'docs',
  'events',
  'functions',
  'healthz',
  'media',
  'metrics',
  'readyz',
  'rest',
  'webhooks',
]);

/** True when `/segment` belongs to the product. Names with a dot are files, names with `__` belong to the sandboxes. */
export function isReservedSegment(segment: string): boolean {
  const name = segment.toLowerCase();
  return RESERVED.has(name) || name.includes('.') || name.startsWith('__');
}

/** The path of `/@name` or of a page below it without the @; null for every other path. */
export function withoutAt(pathname: string): string | null {
  const bare = /^\/(?:@|%40)([^/@]+(?:\/.*)?)$/i.exec(pathname)?.[1];
  return bare === undefined ? null : `/${bare}`;
}
