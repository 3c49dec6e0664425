import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type ContextRequest } from '../http/context-request.js';

/** The person who acts, and the circumstances that the log keeps. */
export interface Actor {
  readonly userId: string;
  readonly role: 'admin' | 'finance' | 'system';
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

/** The signed-in admin of a request. Only on routes whose access is `admin`. */
export const Acting = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const request = context.switchToHttp().getRequest<ContextRequest>();
  const principal = request.fanvas?.principal;
  if (!principal) throw new Error('Acting was used on a route that does not require a user.');
  return { userId: principal.userId, role: 'admin', requestId: String(request.id), address: request.ip };
});
