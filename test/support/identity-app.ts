import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { type FastifyInstance } from 'fastify';
import { type Kysely } from 'kysely';
import { IdentityModule } from '../../src/identity/identity.module.js';
import { Clock } from '../../src/platform/clock.js';
import { CONFIG } from '../../src/platform/config/config.js';
import { DATABASE } from '../../src/platform/database/database.js';
import { AccessGuard } from '../../src/platform/http/access-guard.js';
import { ErrorFilter } from '../../src/platform/http/error-filter.js';
import { RateLimiter, type RateLimitState } from '../../src/platform/http/rate-limits.js';
import {
  PROVIDER_SETTINGS,
  type ClerkSettings,
  type ProviderSettings,
} from '../../src/platform/config/provider-settings.js';

export interface IdentityAppOptions<Tables> {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Origin whose pages hold the tokens. */
  readonly publicUrl: string;
  readonly clerk: ClerkSettings;
  /** Adds to the server what stands beside the application, before it starts. */
  readonly mount?: (server: FastifyInstance) => Promise<void>;
}

class NoLimits extends RateLimiter {
  override async hit(): Promise<RateLimitState> {
    return { limited: false, remaining: 1, resetAt: new Date(0), retryAfterSeconds: 0 };
  }

  override peek(): Promise<RateLimitState> {
    return this.hit();
  }
}

/** The identity context on a bare Nest application, with the platform's guard and error shape; not listening yet. */
export async function createIdentityApp<Tables>(options: IdentityAppOptions<Tables>): Promise<NestFastifyApplication> {
  const { port } = new URL(options.publicUrl);
  const settings: Pick<ProviderSettings, 'clerk' | 'sandboxes'> = {
    clerk: options.clerk,
    sandboxes: { clerk: true, replicate: true, stripe: true },
  };
  const providers = [
    { provide: CONFIG, useValue: { publicUrl: options.publicUrl, port: Number(port) } },
    { provide: PROVIDER_SETTINGS, useValue: settings },
    { provide: DATABASE, useValue: options.db },
    { provide: Clock, useValue: options.clock },
    { provide: RateLimiter, useValue: new NoLimits() },
  ];

  @Global()
  @Module({ providers, exports: providers })
  class TestPlatformModule {}

  const testing = await Test.createTestingModule({
    imports: [TestPlatformModule, CqrsModule.forRoot(), IdentityModule],
    providers: [
      { provide: APP_GUARD, useClass: AccessGuard },
      { provide: APP_FILTER, useClass: ErrorFilter },
    ],
  }).compile();
  const adapter = new FastifyAdapter({ forceCloseConnections: true });
  await options.mount?.(adapter.getInstance<FastifyInstance>());
  const app = testing.createNestApplication<NestFastifyApplication>(adapter, {
    rawBody: true,
    logger: false,
  });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}
