import { type DynamicModule, Global, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ScheduleModule } from '@nestjs/schedule';
import { type Kysely } from 'kysely';
import { type Pool } from 'pg';
import { Acts } from './acts/acts.js';
import { ApiDescription } from './api-docs/api-description.js';
import { ApiDocsController } from './api-docs/api-docs.controller.js';
import { Clock } from './clock.js';
import { CONFIG, type Config } from './config/config.js';
import { DATABASE, JOB_DATABASE, JOB_POOL, PG_POOL } from './database/database.js';
import { createDatabase } from './database/pool.js';
import { Notifications } from './database/notifications.js';
import { EventStore } from './event-store/event-store.js';
import { DueWork } from './due-work.js';
import { FaultPoints } from './fault-points.js';
import { IdGenerator } from './ids.js';
import { HealthController } from './http/health.controller.js';
import { PostgresRateLimiter } from './http/postgres-rate-limiter.js';
import { RateLimitController } from './http/rate-limit.controller.js';
import { RateLimiter } from './http/rate-limits.js';
import { Readiness } from './http/readiness.js';
import { TablesController } from './http/tables.controller.js';
import { MediaController } from './media/media.controller.js';
import { PictureConverter } from './media/picture-converter.js';
import { PictureEncoder } from './media/picture-encoder.js';
import { WithheldPictures } from './media/withheld-pictures.js';
import { InstallationKeys } from './keys/installation-keys.js';
import { Locks } from './locks.js';
import { Metrics } from './metrics/metrics.js';
import { ProjectionRunner } from './projections/projection-runner.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from './config/provider-settings.js';
import { FileStorage } from './storage/file-storage.js';
import { type Records, RECORDS } from './storage/records.js';

/** The parts of the process. The composition or a test creates them. */
export interface PlatformParts {
  readonly config: Config;
  readonly providers: ProviderSettings;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly pool: Pool;
  readonly db: Kysely<unknown>;
  /** On the connections of background work. */
  readonly jobs: Pool;
  readonly notifications: Notifications;
  readonly eventStore: EventStore;
  readonly projections: ProjectionRunner;
  readonly locks: Locks;
  readonly keys: InstallationKeys;
  readonly metrics: Metrics;
  readonly storage: FileStorage;
  readonly records: Records | null;
  readonly faultPoints: FaultPoints;
}

/** Makes the technical parts injectable everywhere. */
@Global()
@Module({})
export class PlatformModule {
  static with(parts: PlatformParts): DynamicModule {
    const value = (token: unknown, useValue: unknown): Provider => ({ provide: token as string, useValue });
    const providers: Provider[] = [
      value(CONFIG, parts.config),
      value(PROVIDER_SETTINGS, parts.providers),
      value(PG_POOL, parts.pool),
      value(DATABASE, parts.db),
      value(JOB_POOL, parts.jobs),
      value(JOB_DATABASE, createDatabase(parts.jobs)),
      value(Notifications, parts.notifications),
      value(Clock, parts.clock),
      value(IdGenerator, parts.ids),
      value(EventStore, parts.eventStore),
      value(ProjectionRunner, parts.projections),
      value(Locks, parts.locks),
      value(InstallationKeys, parts.keys),
      value(Metrics, parts.metrics),
      value(FileStorage, parts.storage),
      value(RECORDS, parts.records),
      value(FaultPoints, parts.faultPoints),
      { provide: RateLimiter, useClass: PostgresRateLimiter },
      Readiness,
      ApiDescription,
      Acts,
      DueWork,
      PictureConverter,
      WithheldPictures,
      { provide: PictureEncoder, useValue: new PictureEncoder() },
    ];
    const { worker } = parts.config.roles;
    const schedules = ScheduleModule.forRoot({ cronJobs: worker, intervals: worker, timeouts: worker });
    const imports: ModuleMetadata['imports'] = [CqrsModule.forRoot(), schedules];
    return {
      module: PlatformModule,
      imports,
      controllers: [ApiDocsController, HealthController, MediaController, RateLimitController, TablesController],
      providers,
      exports: [...providers, CqrsModule],
    };
  }
}
