import { notFound } from '../errors.js';
import { type Exchange } from './exchange.js';
import { type AddRoute } from './route.js';

/** Routes of the browser, its sessions and their tokens. */
export function sessionRoutes(add: AddRoute): void {
  add('GET', '/client', showClient);
  add('POST', '/client', (exchange) => (exchange.method === 'DELETE' ? endAll(exchange) : openClient(exchange)));
  // The SDK calls the collection only with DELETE, to sign out.
  add('POST', '/client/sessions', endAll);
  add('POST', '/client/sessions/:sessionId/touch', touch);
  add('POST', '/client/sessions/:sessionId/end', (exchange) => end(exchange, 'ended'));
  add('POST', '/client/sessions/:sessionId/remove', (exchange) => end(exchange, 'removed'));
  add('POST', '/client/sessions/:sessionId/tokens', sessionToken);
  add('POST', '/client/sessions/:sessionId/tokens/:template', templateToken);
}

async function showClient(exchange: Exchange): Promise<unknown> {
  exchange.setSignedInCookie();
  const { client, origin, parts } = exchange;
  return { response: client ? await parts.views.client(client, origin) : null, client: null };
}

async function openClient(exchange: Exchange): Promise<unknown> {
  const client = exchange.openClient();
  return exchange.commitAndAnswer(await exchange.parts.views.client(client, exchange.origin));
}

async function endAll(exchange: Exchange): Promise<unknown> {
  const { accounts, views } = exchange.parts;
  const client = exchange.openClient();
  for (const session of accounts.activeSessions(client)) accounts.end(session, 'removed');
  client.signInId = null;
  client.signUpId = null;
  return exchange.commitAndAnswer(await views.client(client, exchange.origin));
}

async function touch(exchange: Exchange): Promise<unknown> {
  const session = exchange.session();
  session.lastActiveAt = exchange.now;
  const client = exchange.openClient();
  client.lastActiveSessionId = session.id;
  const user = exchange.parts.store.state.users.get(session.userId);
  if (user) user.lastActiveAt = exchange.now;
  exchange.commitLater();
  return exchange.answer(await exchange.parts.views.session(session, exchange.origin));
}

async function end(exchange: Exchange, status: 'ended' | 'removed'): Promise<unknown> {
  const session = exchange.session();
  const view = await exchange.parts.views.session(session, exchange.origin);
  exchange.parts.accounts.end(session, status);
  return exchange.commitAndAnswer({ ...view, status });
}

async function sessionToken(exchange: Exchange): Promise<unknown> {
  return tokenView(await exchange.parts.tokens.sessionToken(exchange.session(), exchange.origin));
}

async function templateToken(exchange: Exchange): Promise<unknown> {
  const session = exchange.session();
  const user = exchange.user(session.userId);
  const token = exchange.parts.tokens.templateToken(exchange.param('template'), session, user, exchange.origin);
  if (token === null) throw notFound('JWT template');
  return tokenView(await token);
}

function tokenView(jwt: string): object {
  return { object: 'token', jwt };
}
