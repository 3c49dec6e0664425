/**
 * First path segments that the server itself answers: an unknown address below them is an error and never a page, and none
 * of them may become a username.
 */
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
