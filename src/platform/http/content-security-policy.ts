/** Where pages may load from: our own origin, and the identity provider when it is the real one. */
export function contentSecurityPolicy(clerk: { publishableKey: string; proxyUrl?: string }): string {
  const clerkOrigin = clerk.proxyUrl ? null : `https://${frontendApiHost(clerk.publishableKey)}`;
  const challenge = clerkOrigin ? ['https://challenges.cloudflare.com'] : [];
  const own = (...more: (string | null)[]): string => ["'self'", ...more].filter(Boolean).join(' ');
  return [
    `default-src 'self'`,
    `script-src ${own(clerkOrigin, ...challenge)}`,
    `connect-src ${own(clerkOrigin, clerkOrigin && 'https://clerk-telemetry.com')}`,
    // Clerk's widgets style themselves with style elements.
    `style-src 'self' 'unsafe-inline'`,
    `img-src ${own('data:', 'blob:', clerkOrigin && 'https://img.clerk.com')}`,
    `font-src 'self' data:`,
    `worker-src 'self' blob:`,
    `frame-src ${own(...challenge)}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/** A publishable key is `pk_test_` or `pk_live_` and base64 of `<host>$`. */
function frontendApiHost(publishableKey: string): string {
  const encoded = publishableKey.split('_').slice(2).join('_');
  return Buffer.from(encoded, 'base64').toString('utf8').replace(/\$$/, '');
}
