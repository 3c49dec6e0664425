import { Body, Controller, Logger, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ActFilter, ActsRequest } from '../../../contract/calls/acts.js';
import { type AdminAct } from '../../../contract/acts.js';
import { type RpcResponse } from '../../../contract/calls.js';
import { RATE_LIMITS } from '../../../contract/rate-limits.js';
import { type Actor } from '../../../platform/acts/actor.js';
import { DomainError } from '../../../platform/domain-error.js';
import { csvDownload } from '../../../platform/http/csv-download.js';
import { instantOrNow } from '../../../platform/http/instants.js';
import { ADMIN_READ, CurrentUser, Endpoint, Rpc } from '../../../platform/http/routes.js';
import { Authenticator, type Principal } from '../../../platform/principal.js';
import { ListActors } from '../reads/list-actors.js';
import { ListActs } from '../reads/list-acts.js';
import { ExportActs } from '../use-cases/export-acts.js';

/** Entries of a page by default. */
const DEFAULT_LIMIT = 50;

/** The log of acts for admins. Auditors may export it. */
@Controller()
export class ActsController {
  private readonly logger = new Logger(ActsController.name);

  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly authenticator: Authenticator,
  ) {}

  @Rpc('list_admin_acts', ADMIN_READ)
  async list(
    @Body() { p_limit: limit = DEFAULT_LIMIT, p_before: before = null, ...filter }: ActsRequest,
  ): Promise<AdminAct[]> {
    checkInstants(filter);
    return this.queries.execute(new ListActs({ filter, before, limit }));
  }

  @Rpc('list_admin_actors', ADMIN_READ)
  async actors(): Promise<RpcResponse<'list_admin_actors'>> {
    return this.queries.execute(new ListActors());
  }

  /** Streams the file as the client reads it. */
  @Endpoint('GET /exports/admin-acts.csv', {
    access: 'user',
    limit: RATE_LIMITS.financialOps,
    // Each page of entries is a statement with a limit of its own.
    unlimitedDatabaseTime: true,
  })
  async export(
    @CurrentUser() { userId }: Principal,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const roles = await this.authenticator.rolesOf(userId, { fresh: true });
    if (!roles.has('admin') && !roles.has('auditor')) {
      throw new DomainError('forbidden', 'Admin privileges required', { code: '42501' });
    }
    const filter = await filterOf(query);
    const role = roles.has('admin') ? 'admin' : 'auditor';
    const actor: Actor = { userId, role, requestId: String(request.id), address: request.ip };
    const parts = await this.commands.execute(new ExportActs({ filter, by: actor }));
    return csvDownload(reply, parts, { name: 'fanvas-admin-acts.csv', logger: this.logger, forPeople: true });
  }
}

/** The filter in a query string: the names of `list_admin_acts`. @throws DomainError invalid */
async function filterOf(query: Record<string, unknown>): Promise<ActFilter> {
  const filter = plainToInstance(ActFilter, query);
  const [problem] = await validate(filter, { whitelist: true });
  const message = Object.values(problem?.constraints ?? {})[0];
  if (problem) throw new DomainError('invalid', message ?? 'The filter is not valid.');
  checkInstants(filter);
  return filter;
}

/** @throws DomainError invalid */
function checkInstants({ p_from: from, p_to: to }: ActFilter): void {
  instantOrNow(from, 'p_from');
  instantOrNow(to, 'p_to');
}
