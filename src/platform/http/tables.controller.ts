import { All, Controller, Param, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { type Principal } from '../principal.js';
import { OptionalUser, Route } from './routes.js';

/**
 * Refuses all requests to tables that no context handles: the generic client must not write, and other tables do not
 * exist.
 */
@Controller()
export class TablesController {
  @All('rest/v1/:table')
  @Route({ access: 'public' })
  refuse(@Req() request: FastifyRequest, @Param('table') table: string, @OptionalUser() user: Principal | null): never {
    const name = table.replace(/[^\w-]/g, '').slice(0, 60);
    if (request.method === 'GET' || request.method === 'HEAD') {
      throw new ApiError(404, `Could not find the table '${name}'`, { code: 'PGRST205' });
    }
    throw new ApiError(user ? 403 : 401, `permission denied for table ${name}`, { code: '42501' });
  }
}
