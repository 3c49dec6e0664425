import { type FastifyInstance } from 'fastify';
import { type Clock } from '../../src/platform/clock.js';
import { type ClerkSettings } from '../../src/platform/config/provider-settings.js';
import type pg from 'pg';
import { startTestApp, type TestApp } from './test-app.js';

export interface IdentityAppOptions {
  readonly clock: Clock;
  readonly clerk: ClerkSettings;
  /** Origin of the pages that hold the tokens. */
  readonly publicUrl: string;
  readonly database?: { readonly pool: pg.Pool };
  readonly port?: number;
  readonly mount?: (server: FastifyInstance) => unknown;
}

/** Starts the app with the real authenticator. */
export async function startIdentityApp(options: IdentityAppOptions): Promise<TestApp> {
  const { clock, clerk, publicUrl, ...more } = options;
  const overrides = { clock, authenticator: 'real', providers: { clerk } } as const;
  return startTestApp({ ...more, settings: { PUBLIC_URL: publicUrl }, overrides });
}
