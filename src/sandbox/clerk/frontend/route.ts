import { type HTTPMethods } from 'fastify';
import { type Exchange } from './exchange.js';

/** Handler of one route: gets the exchange, returns the body. */
type FrontendHandler = (exchange: Exchange) => unknown;

/** Adds a route. `methods` are those on the wire, where PATCH and DELETE are POST. */
export type AddRoute = (methods: HTTPMethods | HTTPMethods[], path: string, handler: FrontendHandler) => void;
