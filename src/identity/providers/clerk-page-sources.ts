import { type PageSources } from '../../platform/pages.js';

/** Origins that Clerk's widgets load from. None with `proxyUrl`: pages then reach Clerk through our own origin. */
export function clerkPageSources(settings: { publishableKey: string; proxyUrl?: string | undefined }): PageSources {
  if (settings.proxyUrl) return { scripts: [], connections: [], images: [], frames: [] };
  const clerk = `https://${frontendApiHost(settings.publishableKey)}`;
  const challenge = 'https://challenges.cloudflare.com';
  return {
    scripts: [clerk, challenge],
    connections: [clerk, 'https://clerk-telemetry.com'],
    images: ['https://img.clerk.com'],
    frames: [challenge],
  };
}

/** Decodes the host. A publishable key is `pk_test_` or `pk_live_`, followed by the base64 of `<host>$`. */
function frontendApiHost(publishableKey: string): string {
  const encoded = publishableKey.split('_').slice(2).join('_');
  return Buffer.from(encoded, 'base64').toString('utf8').replace(/\$$/, '');
}
