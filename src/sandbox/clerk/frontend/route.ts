import { type HTTPMethods } from 'fastify';
import { type Exchange } from './exchange.js';

/** Handles one route and returns the response body. */
type FrontendHandler = (exchange: Exchange) => unknown;

/** Adds a route. `methods` are the HTTP methods of the request; the SDK sends PATCH and DELETE as POST. */
export type AddRoute = (methods: HTTPMethods | HTTPMethods[], path: string, handler: FrontendHandler) => void;
