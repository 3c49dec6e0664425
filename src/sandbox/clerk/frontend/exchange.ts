import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Accounts } from '../accounts.js';
import { notFound, signedOut } from '../errors.js';
import { newId } from '../ids.js';
import { type ClientRecord, type SessionRecord, type UserRecord } from '../state.js';
import { type Store } from '../store.js';
import { type TokenSigner } from '../tokens.js';
import { type ClientViews } from '../views/client-view.js';

const CLIENT_COOKIE = '__client';
const YEAR_SECONDS = 31_536_000;

/** The services of the frontend API. */
export interface FrontendParts {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly tokens: TokenSigner;
  readonly views: ClientViews;
  readonly now: () => Date;
}

/** One request of a browser and its response. */
export class Exchange {
  /** Fields of the form. */
  readonly form: Readonly<Record<string, string | undefined>>;
  /** The SDK sends PATCH and DELETE as POST with `?_method=`. */
  readonly method: string;
  /** Origin of the requesting page; becomes the claim `azp`. */
  readonly origin: string | null;
  private browser: ClientRecord | null;

  constructor(
    readonly parts: FrontendParts,
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {
    this.form = (request.body ?? {}) as Record<string, string | undefined>;
    this.method = this.query('_method') ?? request.method;
    this.origin = request.headers.origin ?? originOf(request.headers.referer);
    this.browser = this.knownBrowser();
  }

  get now(): number {
    return this.parts.now().getTime();
  }

  /** The requesting browser, or null when it is unknown. */
  get client(): ClientRecord | null {
    return this.browser;
  }

  query(name: string): string | undefined {
    const value = (this.request.query as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : undefined;
  }

  param(name: string): string {
    return (this.request.params as Record<string, string | undefined>)[name] ?? '';
  }

  /** The requesting browser; an unknown one is created and gets its cookie. */
  openClient(): ClientRecord {
    if (this.browser) return this.browser;
    this.browser = {
      id: newId('client'),
      token: randomBytes(32).toString('base64url'),
      createdAt: this.now,
      signInId: null,
      signUpId: null,
      lastActiveSessionId: null,
    };
    this.parts.store.state.clients.set(this.browser.id, this.browser);
    this.setCookie(`${CLIENT_COOKIE}=${this.browser.token}; HttpOnly`);
    return this.browser;
  }

  /** The session named in the path. @throws ClerkRefusal when it is another browser's or has ended */
  session(): SessionRecord {
    const session = this.parts.store.state.sessions.get(this.param('sessionId'));
    if (!session || session.clientId !== this.browser?.id) throw notFound('Session');
    if (!this.parts.accounts.isActive(session)) throw signedOut();
    return session;
  }

  /** The user of the session named in the query. @throws ClerkRefusal without an active session */
  signedInUser(): UserRecord {
    const session = this.parts.store.state.sessions.get(this.query('_clerk_session_id') ?? '');
    const user = session && this.parts.store.state.users.get(session.userId);
    if (!user || session.clientId !== this.browser?.id || !this.parts.accounts.isActive(session)) throw signedOut();
    return user;
  }

  /** The user with this id. @throws ClerkRefusal when there is none */
  user(id: string | null): UserRecord {
    const user = this.parts.store.state.users.get(id ?? '');
    if (!user) throw notFound('User');
    return user;
  }

  /** Makes the changes durable, then returns the envelope. */
  async commitAndAnswer(response: unknown): Promise<unknown> {
    await this.parts.store.commit();
    return this.answer(response);
  }

  /** The envelope: the response and the browser's current state. */
  async answer(response: unknown): Promise<unknown> {
    this.setSignedInCookie();
    const client = this.browser ? await this.parts.views.client(this.browser, this.origin) : null;
    return { response, client };
  }

  /** Sets the cookie by which the SDK knows, before its first request, whether a session exists. */
  setSignedInCookie(): void {
    const sessions = this.browser ? this.parts.accounts.activeSessions(this.browser) : [];
    const latest = Math.max(0, ...sessions.map((session) => session.createdAt));
    this.setCookie(`__client_uat=${Math.floor(latest / 1000)}`);
  }

  /** Saves soon; for changes that may be lost in a crash. */
  commitLater(): void {
    this.parts.store.commitLater((error) => {
      new Logger('ClerkSandbox').warn({ message: 'The state could not be saved.', error });
    });
  }

  private knownBrowser(): ClientRecord | null {
    const token = cookie(this.request.headers.cookie, CLIENT_COOKIE);
    if (!token) return null;
    for (const client of this.parts.store.state.clients.values()) if (client.token === token) return client;
    return null;
  }

  private setCookie(pair: string): void {
    this.reply.header('set-cookie', `${pair}; Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}`);
  }
}

function cookie(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.trim().split('=');
    if (key === name && value) return value;
  }
  return null;
}

function originOf(url: string | undefined): string | null {
  return url && URL.canParse(url) ? new URL(url).origin : null;
}
