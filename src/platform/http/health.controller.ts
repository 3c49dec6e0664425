import { Controller, Get, Inject } from '@nestjs/common';
import { type Pool } from 'pg';
import { PG_POOL } from '../database/database.js';
import { ApiError } from './api-error.js';
import { Readiness } from './readiness.js';
import { Route } from './routes.js';

/** `/healthz`: the process answers. `/readyz`: it can do its work. */
@Controller()
export class HealthController {
  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly readiness: Readiness,
  ) {}

  @Get('healthz')
  @Route({ access: 'public' })
  health(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Route({ access: 'public' })
  async ready(): Promise<{ status: 'ready' }> {
    const reason = this.readiness.notReadyBecause();
    if (reason !== null) throw new ApiError(503, reason, { retryAfterSeconds: 1 });
    await this.pool.query('select 1').catch((error: unknown) => {
      throw new ApiError(503, 'The database does not answer.', { retryAfterSeconds: 1, cause: error });
    });
    return { status: 'ready' };
  }
}
