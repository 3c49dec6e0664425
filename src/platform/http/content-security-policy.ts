import { type PageSources } from '../pages.js';

/** Builds the Content-Security-Policy of all pages: our own origin, and these sources. */
export function contentSecurityPolicy({ scripts, connections, images, frames }: PageSources): string {
  const own = (...sources: readonly string[]): string => ["'self'", ...sources].join(' ');
  return [
    `default-src 'self'`,
    `script-src ${own(...scripts)}`,
    `connect-src ${own(...connections)}`,
    // Widgets of the identity provider use style elements.
    `style-src 'self' 'unsafe-inline'`,
    `img-src ${own('data:', 'blob:', ...images)}`,
    `font-src 'self' data:`,
    `worker-src 'self' blob:`,
    `frame-src ${own(...frames)}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
