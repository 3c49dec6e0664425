import { Controller, Inject, Logger, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type Pool } from 'pg';
import { type HealthAnswer, type ReadyAnswer } from '../../contract/routes.js';
import { CONFIG, type Config } from '../config/config.js';
import { PG_POOL } from '../database/database.js';
import { refusalOfMetrics } from '../metrics/serve-metrics.js';
import { ProjectionRunner, type RunnerStatus } from '../projections/projection-runner.js';
import { ApiError } from './api-error.js';
import { Readiness } from './readiness.js';
import { Endpoint } from './routes.js';

/** The status is public, so it is computed at most once in this time (milliseconds). */
const STATUS_KEPT_MS = 1_000;

/** `/healthz`: the process answers. `/readyz`: it can do its work. */
@Controller()
export class HealthController {
  private readonly logger = new Logger(HealthController.name);
  private projections: { readonly askedAt: number; readonly status: Promise<RunnerStatus[] | null> } | null = null;

  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: Config,
    private readonly readiness: Readiness,
    private readonly runner: ProjectionRunner,
  ) {}

  @Endpoint('GET /healthz', { access: 'public' })
  health(): HealthAnswer {
    return { status: 'ok' };
  }

  /**
   * Reports projections that lag or are being built, but stays ready. They lag on all instances at once: if all became
   * unready, calls that do not need projections would fail too.
   */
  @Endpoint('GET /readyz', { access: 'public' })
  async ready(@Req() request: FastifyRequest): Promise<ReadyAnswer> {
    const reason = this.readiness.notReadyBecause();
    if (reason !== null) throw new ApiError(503, reason, { retryAfterSeconds: 1 });
    await this.pool.query('select 1').catch((error: unknown) => {
      throw new ApiError(503, 'The database does not answer.', { retryAfterSeconds: 1, cause: error });
    });
    const all = await this.projectionStatus();
    const { metricsToken: token, trustProxy } = this.config;
    const mayReadDetails = refusalOfMetrics(request, { token, trustProxy }) === null;
    return {
      status: 'ready',
      projections: mayReadDetails ? all : (all?.map(({ name, state, failing }) => ({ name, state, failing })) ?? null),
    };
  }

  private projectionStatus(): Promise<RunnerStatus[] | null> {
    const now = performance.now();
    if (!this.projections || now - this.projections.askedAt > STATUS_KEPT_MS) {
      const status = this.runner.status().catch((error: unknown) => {
        this.logger.warn({ message: 'The status of the projections could not be read.', error });
        return null;
      });
      this.projections = { askedAt: now, status };
    }
    return this.projections.status;
  }
}
