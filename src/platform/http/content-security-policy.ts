import { type PageSources } from '../pages.js';

/**
 * Builds the Content-Security-Policy: our own origin, and these sources. With `styleNonce` the page may add style
 * elements that carry it, as the identity widgets and dialogs do (ADR 26).
 */
export function contentSecurityPolicy(
  { scripts, connections, images, frames, styles }: PageSources,
  styleNonce?: string,
): string {
  const own = (...sources: readonly string[]): string => ["'self'", ...sources].join(' ');
  return [
    `default-src 'self'`,
    `script-src ${own(...scripts)}`,
    `connect-src ${own(...connections)}`,
    styleNonce === undefined ? `style-src 'self'` : `style-src ${own(`'nonce-${styleNonce}'`, ...styles)}`,
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
