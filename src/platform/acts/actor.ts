import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Role } from '../../contract/roles.js';
import { type ContextRequest } from '../http/context-request.js';

/** The person who acts, and the circumstances that the log keeps. */
export interface Actor {
  readonly userId: string;
  readonly role: Role | 'system';
  readonly requestId: string | null;
  /** Personal: the log can erase it. */
  readonly address: string | null;
}

/** The product itself, where no admin decides. @param userId id of the actor in events */
export function systemActor(userId = 'system'): Actor {
  return { userId, role: 'system', requestId: null, address: null };
}

/** The product itself, where a rule decides without a person. */
export const SYSTEM_ACTOR = systemActor();

/** The signed-in admin or finance person of a request. Only on routes for these roles. */
export const Acting = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const request = context.switchToHttp().getRequest<ContextRequest>();
  const { principal, role } = request.fanvas ?? {};
  if (!principal || (role !== 'admin' && role !== 'finance')) {
    throw new Error('Acting was used on a route that is not for admins or finance people.');
  }
  return { userId: principal.userId, role, requestId: String(request.id), address: request.ip };
});
