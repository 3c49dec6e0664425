import { type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify';
import { environmentView } from '../views/environment-view.js';
import { type Exchange, Exchange as RequestExchange, type FrontendParts } from './exchange.js';
import { accountRoutes } from './account-routes.js';
import { sessionRoutes } from './session-routes.js';
import { signInRoutes } from './sign-in-routes.js';
import { signUpRoutes } from './sign-up-routes.js';

/** Handler of one route: gets the exchange, returns the body. */
export type FrontendHandler = (exchange: Exchange) => unknown;

/** Adds a route. `methods` are those on the wire, where PATCH and DELETE are POST. */
export type AddRoute = (methods: HTTPMethods | HTTPMethods[], path: string, handler: FrontendHandler) => void;

/** The API that Clerk's browser SDK speaks. */
export function registerFrontendApi(server: FastifyInstance, parts: FrontendParts): void {
  server.addHook('onSend', async (_request, reply, payload) => {
    reply.header('Cache-Control', 'no-store');
    return payload;
  });
  const add: AddRoute = (method, url, handler) => {
    server.route({
      method,
      url,
      handler: async (request: FastifyRequest, reply: FastifyReply) =>
        handler(new RequestExchange(parts, request, reply)),
    });
  };
  add(['GET', 'POST'], '/environment', () => environmentView());
  sessionRoutes(add);
  signUpRoutes(add);
  signInRoutes(add);
  accountRoutes(add);
}
