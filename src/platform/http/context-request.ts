import { type FastifyRequest } from 'fastify';
import { type Role } from '../../contract/roles.js';
import { type Principal } from '../principal.js';

/** Facts about the request that the guard has established. */
interface RequestContext {
  principal?: Principal;
  /** The role by which the caller may call; undefined where none is needed. */
  role?: Role;
}

export type ContextRequest = FastifyRequest & { fanvas?: RequestContext };
