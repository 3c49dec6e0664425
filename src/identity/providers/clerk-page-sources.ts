import { type PageSources } from '../../platform/pages.js';

/**
 * Style elements of the input for codes, which Clerk's widgets add without the nonce: an empty one, whose rules a
 * script adds, and the animation of its caret (ADR 26).
 */
const CODE_INPUT_STYLES = [
  `'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`,
  `'sha256-KQDhUccuEkZUQDnfbVDeY+ev2LZ+73AQR7ro4JppAY8='`,
];

/** Origins that Clerk's widgets load from. None with `proxyUrl`: pages then reach Clerk through our own origin. */
export function clerkPageSources(settings: { publishableKey: string; proxyUrl?: string | undefined }): PageSources {
  const styles = CODE_INPUT_STYLES;
  if (settings.proxyUrl) return { scripts: [], connections: [], images: [], frames: [], styles };
  const clerk = `https://${frontendApiHost(settings.publishableKey)}`;
  const challenge = 'https://challenges.cloudflare.com';
  return {
    scripts: [clerk, challenge],
    connections: [clerk, 'https://clerk-telemetry.com'],
    images: ['https://img.clerk.com'],
    frames: [challenge],
    styles,
  };
}

/** Decodes the host. A publishable key is `pk_test_` or `pk_live_`, followed by the base64 of `<host>$`. */
function frontendApiHost(publishableKey: string): string {
  const encoded = publishableKey.split('_').slice(2).join('_');
  return Buffer.from(encoded, 'base64').toString('utf8').replace(/\$$/, '');
}
