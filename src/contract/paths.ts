/** First path segments that belong to the product: one rule for the server and the browser. */

/** Pages with a path of their own, as patterns of the route table: `:name` is one segment, a final `*` any number. */
export const PAGE_PATHS = [
  '/',
  '/sign-in/*',
  '/sign-up/*',
  '/oauth/callback',
  '/my-creations',
  '/credits',
  '/account',
  '/closed-account',
  '/purchase-credits',
  '/payment-success',
  '/payment-canceled',
  '/creator',
  '/creator/terms-acceptance',
  '/generation/:generationId',
  '/creator/statement/:month',
  '/creator/payouts/:payoutId',
  '/admin/*',
  '/audit/verify',
  '/audit/*',
  '/finance/*',
  '/faq',
  '/community-guidelines',
  '/creator-terms',
  '/creator-requirements',
  '/termsofuse',
  '/privacypolicy',
] as const;

type AddressOf<Path extends string> = Path extends `${infer Base}/*`
  ? Base
  : Path extends `${string}:${string}`
    ? never
    : Path;

/** The address of a page without parameters: a link to another one does not compile. */
export type PageAddress = AddressOf<(typeof PAGE_PATHS)[number]>;

/** Segments whose paths the server answers. An unknown path below them returns an error, not a page. */
export const SERVER_SEGMENTS: ReadonlySet<string> = new Set([
  '__clerk',
  '__sandbox',
  'assets',
  'docs',
  'events',
  'exports',
  'favicon.ico',
  'favicon.svg',
  'functions',
  'healthz',
  'icons',
  'ledger',
  'media',
  'metrics',
  'readyz',
  'rest',
  'robots.txt',
  'sitemap.xml',
  'v1',
  'webhooks',
]);

/** Names that look official when a user has them. */
const OFFICIAL_NAMES = [
  'about',
  'api',
  'fanvas',
  'help',
  'home',
  'login',
  'logout',
  'me',
  'official',
  'privacy',
  'search',
  'settings',
  'signin',
  'signup',
  'static',
  'support',
  'terms',
  'unknown',
  'user',
  'users',
];

/** First path segments that no username may equal. Otherwise a creator's page would hide a route or look official. */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([
  ...PAGE_PATHS.flatMap((path) => segmentsOf(path).slice(0, 1)),
  ...SERVER_SEGMENTS,
  ...OFFICIAL_NAMES,
]);

/**
 * True for a first path segment that is never a username. Usernames may contain dots but begin with a letter or digit.
 * Segments with a leading dot are probes for files. Segments with a leading `__` belong to the sandboxes.
 */
export function isReservedSegment(segment: string): boolean {
  const name = segment.toLowerCase();
  return RESERVED_SEGMENTS.has(name) || name.startsWith('.') || name.startsWith('__');
}

/** True when a pattern of {@link PAGE_PATHS} matches this path. Case and a final slash do not count. */
export function isPagePath(path: string): boolean {
  const segments = segmentsOf(path);
  return PAGE_PATHS.some((pattern) => {
    const parts = segmentsOf(pattern);
    const open = parts.at(-1) === '*';
    const fixed = open ? parts.slice(0, -1) : parts;
    return (
      (open ? segments.length >= fixed.length : segments.length === fixed.length) &&
      fixed.every((part, index) => part.startsWith(':') || part === segments[index]?.toLowerCase())
    );
  });
}

/**
 * The path of `/@name` or of a page below it without the @; null for every other path. Names are written with an @
 * everywhere, so an address with one leads to the address without.
 */
export function withoutAt(pathname: string): string | null {
  const bare = /^\/(?:@|%40)([^/@]+(?:\/.*)?)$/i.exec(pathname)?.[1];
  return bare === undefined ? null : `/${bare}`;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}
