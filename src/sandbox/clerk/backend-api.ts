import { createHash, timingSafeEqual } from 'node:crypto';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type JsonObject } from '../../platform/json.js';
import { type Accounts, type MetadataKind } from './accounts.js';
import { ClerkRefusal, notFound, refusedField } from './errors.js';
import { hashPassword, requireUsablePassword } from './passwords.js';
import { type SessionRecord, type UserRecord } from './state.js';
import { type Store } from './store.js';
import { type TokenSigner } from './tokens.js';
import { sessionView } from './views/client-view.js';
import { emailAddressView, withPrivateMetadata } from './views/user-view.js';

export interface BackendParts {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly tokens: TokenSigner;
  readonly secretKey: string;
}

/** Registers the API of `@clerk/backend`: JSON, authorised by the secret key. */
export function registerBackendApi(server: FastifyInstance, parts: BackendParts): void {
  const { accounts, store, tokens } = parts;
  server.addHook('onRequest', async (request) => {
    if (!holdsSecretKey(request, parts.secretKey)) {
      throw new ClerkRefusal(401, 'clerk_key_invalid', 'The provided Clerk Secret Key is invalid.');
    }
  });
  // The SDK parses a body as JSON only with exactly this type, without a charset.
  server.addHook('onSend', async (_request, reply, payload) => {
    reply.headers({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    return payload;
  });
  const userOf = (request: FastifyRequest): UserRecord => {
    const user = store.state.users.get(pathParam(request, 'userId'));
    if (!user) throw notFound('User');
    return user;
  };
  const sessionOf = (request: FastifyRequest): SessionRecord => {
    const session = store.state.sessions.get(pathParam(request, 'sessionId'));
    if (!session) throw notFound('Session');
    return session;
  };

  /** A call that changes a user and returns it. */
  const changing =
    (change: (user: UserRecord, body: JsonObject) => void | Promise<void>) =>
    async (request: FastifyRequest): Promise<object> => {
      const user = userOf(request);
      await change(user, bodyOf(request));
      await store.commit();
      return withPrivateMetadata(user);
    };

  server.get('/jwks', async () => ({ keys: [tokens.jwk] }));
  server.get('/users/count', async () => ({ object: 'total_count', total_count: store.state.users.size }));
  server.get('/users/:userId', async (request) => withPrivateMetadata(userOf(request)));
  server.patch(
    '/users/:userId',
    changing(async (user, body) => accounts.update(user, await profileChange(body))),
  );
  server.patch(
    '/users/:userId/metadata',
    changing((user, body) => accounts.mergeMetadata(user, metadataIn(body))),
  );
  server.delete('/users/:userId', async (request) => {
    const user = userOf(request);
    accounts.delete(user);
    await store.commit();
    return { id: user.id, object: 'user', deleted: true };
  });
  server.patch('/email_addresses/:emailId', async (request) => {
    const user = [...store.state.users.values()].find(({ emailId }) => emailId === pathParam(request, 'emailId'));
    if (!user) throw notFound('Email address');
    const { verified } = bodyOf(request);
    if (typeof verified === 'boolean') accounts.update(user, { emailVerified: verified });
    await store.commit();
    return emailAddressView(user);
  });
  server.get('/sessions', async (request) => {
    const { user_id: userId, status, limit = '10' } = request.query as Record<string, string | undefined>;
    const found = accounts
      .sessionsOf(userId ?? '')
      .filter(
        (session) =>
          status === undefined || (status === 'active' ? accounts.isActive(session) : session.status === status),
      );
    return { data: found.slice(0, Number(limit)).map(sessionView), total_count: found.length };
  });
  server.get('/sessions/:sessionId', async (request) => sessionView(sessionOf(request)));
  // The provider has no such call: it lets tests and people try the dialog that asks to verify again.
  server.post('/sessions/:sessionId/age_verification', async (request) => {
    const session = sessionOf(request);
    const { minutes } = bodyOf(request);
    if (typeof minutes !== 'number' || !(minutes >= 0)) {
      throw refusedField('form_param_value_invalid', 'minutes must be a number, not negative.', 'minutes');
    }
    session.verifiedAt -= minutes * 60_000;
    await store.commit();
    return sessionView(session);
  });
  server.post('/sessions/:sessionId/revoke', async (request) => {
    const session = sessionOf(request);
    accounts.end(session, 'revoked');
    await store.commit();
    return sessionView(session);
  });
}

function holdsSecretKey(request: FastifyRequest, secretKey: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${secretKey}`));
}

async function profileChange(
  body: JsonObject,
): Promise<{ firstName?: string; lastName?: string; passwordHash?: string }> {
  const { first_name: firstName, last_name: lastName, password } = body;
  if (typeof password === 'string') requireUsablePassword(password);
  return {
    ...(typeof firstName === 'string' ? { firstName } : {}),
    ...(typeof lastName === 'string' ? { lastName } : {}),
    ...(typeof password === 'string' ? { passwordHash: await hashPassword(password) } : {}),
  };
}

const METADATA: Readonly<Record<string, MetadataKind>> = {
  public_metadata: 'publicMetadata',
  private_metadata: 'privateMetadata',
  unsafe_metadata: 'unsafeMetadata',
};

function metadataIn(body: JsonObject): Partial<Record<MetadataKind, JsonObject>> {
  const found: Partial<Record<MetadataKind, JsonObject>> = {};
  for (const [name, kind] of Object.entries(METADATA)) {
    const value = body[name];
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) found[kind] = value;
  }
  return found;
}

function bodyOf(request: FastifyRequest): JsonObject {
  return (request.body ?? {}) as JsonObject;
}

function pathParam(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string | undefined>)[name] ?? '';
}
