import { createHash } from 'node:crypto';
import { type FastifyReply } from 'fastify';
import { type ContextRequest } from './context-request.js';

/** Names the person to proxies only: `deploy/haproxy.cfg` and `deploy/nginx.conf` send each person to one process. */
const AFFINITY_COOKIE = 'fanvas_affinity';
const HASH_DIGITS = 16;
const SENT = new RegExp(`(?:^|; *)${AFFINITY_COOKIE}=([^;]*)`);

/**
 * Gives a signed-in browser the cookie by which a proxy sends a person's requests to one process, which has the
 * person's account in memory. Its value is a hash, authenticates no one, and is set again only for another person.
 * A client that sends no cookies keeps none, so it gets none; nor do answers that a cache may store.
 * @param https whether browsers reach the app by HTTPS
 */
export function setAffinityCookie(request: ContextRequest, reply: FastifyReply, https: boolean): void {
  const { cookie } = request.headers;
  const userId = request.fanvas?.principal?.userId;
  if (cookie === undefined || userId === undefined || reply.getHeader('Cache-Control') !== 'no-store') return;
  const value = createHash('sha256').update(`${AFFINITY_COOKIE} ${userId}`).digest('hex').slice(0, HASH_DIGITS);
  if (SENT.exec(cookie)?.[1] === value) return;
  const secure = https ? '; Secure' : '';
  void reply.header('Set-Cookie', `${AFFINITY_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`);
}
