/** First path segments that belong to the product. None of them is a username. */

/** Pages of both specifications, built or not. */
const PAGE_SEGMENTS = [
  'admin',
  'community-guidelines',
  'creator',
  'creator-requirements',
  'creator-terms',
  'credits',
  'faq',
  'generation',
  'my-creations',
  'oauth',
  'payment-canceled',
  'payment-success',
  'privacypolicy',
  'purchase-credits',
  'sign-in',
  'sign-up',
  'termsofuse',
];

/** Answered by the server itself: an unknown address below them is an error, never a page. */
export const SERVER_SEGMENTS: ReadonlySet<string> = new Set([
  '__clerk',
  '__sandbox',
  'assets',
  'docs',
  'events',
  'favicon.ico',
  'functions',
  'healthz',
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

/** Page and server segments. */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([...PAGE_SEGMENTS, ...SERVER_SEGMENTS]);
