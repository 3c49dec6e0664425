import { describe, expect, it } from '@jest/globals';
import { contentSecurityPolicy } from '../../platform/http/content-security-policy.js';
import { clerkPageSources } from './clerk-page-sources.js';

describe('clerkPageSources', () => {
  it('lets pages load from the frontend API that the publishable key names', () => {
    const publishableKey = `pk_live_${Buffer.from('clerk.fanvas.example$').toString('base64')}`;
    expect(contentSecurityPolicy(clerkPageSources({ publishableKey }))).toBe(
      "default-src 'self'; script-src 'self' https://clerk.fanvas.example https://challenges.cloudflare.com; " +
        "connect-src 'self' https://clerk.fanvas.example https://clerk-telemetry.com; style-src 'self'; " +
        "img-src 'self' data: blob: https://img.clerk.com; font-src 'self' data:; worker-src 'self' blob:; " +
        "frame-src 'self' https://challenges.cloudflare.com; object-src 'none'; base-uri 'none'; form-action 'self'; " +
        "frame-ancestors 'none'",
    );
  });

  it('lets pages add style elements with the nonce of the response only', () => {
    const sources = clerkPageSources({ publishableKey: 'pk_test_x', proxyUrl: '/__clerk' });
    expect(contentSecurityPolicy(sources, 'abc')).toContain("style-src 'self' 'nonce-abc' 'sha256-47DEQ");
  });

  it('lets pages load from our own origin only when Clerk is reached through it', () => {
    const policy = contentSecurityPolicy(clerkPageSources({ publishableKey: 'pk_test_x', proxyUrl: '/__clerk' }));
    expect(policy).not.toContain('https:');
    expect(policy).toContain("frame-src 'self';");
  });
});
