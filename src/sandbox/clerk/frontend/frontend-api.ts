import { type FastifyInstance } from 'fastify';
import { environmentView } from '../views/environment-view.js';
import { Exchange, type FrontendParts } from './exchange.js';
import { type AddRoute } from './route.js';
import { accountRoutes } from './account-routes.js';
import { reverificationRoutes } from './reverification-routes.js';
import { sessionRoutes } from './session-routes.js';
import { signInRoutes } from './sign-in-routes.js';
import { signUpRoutes } from './sign-up-routes.js';

/** Registers the API of Clerk's browser SDK. */
export function registerFrontendApi(server: FastifyInstance, parts: FrontendParts): void {
  server.addHook('onSend', async (_request, reply, payload) => {
    reply.header('Cache-Control', 'no-store');
    return payload;
  });
  const add: AddRoute = (method, url, handler) => {
    server.route({ method, url, handler: async (request, reply) => handler(new Exchange(parts, request, reply)) });
  };
  add(['GET', 'POST'], '/environment', () => environmentView());
  sessionRoutes(add);
  reverificationRoutes(add);
  signUpRoutes(add);
  signInRoutes(add);
  accountRoutes(add);
}
