import { type FastifyRequest } from 'fastify';
import { type Principal } from '../principal.js';

/** Facts about the request that the guard has established. */
interface RequestContext {
  principal?: Principal;
}

export type ContextRequest = FastifyRequest & { fanvas?: RequestContext };
