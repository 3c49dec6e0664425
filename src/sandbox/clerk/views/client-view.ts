import { type Accounts } from '../accounts.js';
import { type ClientRecord, type SessionRecord, type UserRecord } from '../state.js';
import { type Store } from '../store.js';
import { factorAges, type TokenSigner } from '../tokens.js';
import { signInView, signUpView } from './attempt-views.js';
import { nameView, userView } from './user-view.js';

/** JSON views of clients (browsers) and their sessions. Each session view contains a new token for `origin`. */
export class ClientViews {
  constructor(
    private readonly store: Store,
    private readonly accounts: Accounts,
    private readonly tokens: TokenSigner,
    private readonly now: () => Date,
  ) {}

  async client(client: ClientRecord, origin: string | null): Promise<object> {
    const now = this.now().getTime();
    const { signIns, signUps } = this.store.state;
    const active = this.accounts.activeSessions(client);
    const last = active.find((session) => session.id === client.lastActiveSessionId) ?? active.at(-1);
    const signIn = client.signInId === null ? undefined : signIns.get(client.signInId);
    const signUp = client.signUpId === null ? undefined : signUps.get(client.signUpId);
    return {
      object: 'client',
      id: client.id,
      sessions: await Promise.all(active.map((session) => this.session(session, origin))),
      sign_in: signIn ? signInView(signIn, this.userOf(signIn.userId), now) : null,
      sign_up: signUp ? signUpView(signUp, now) : null,
      last_active_session_id: last?.id ?? null,
      last_authentication_strategy: null,
      cookie_expires_at: null,
      captcha_bypass: true,
      created_at: client.createdAt,
      updated_at: now,
    };
  }

  async session(session: SessionRecord, origin: string | null): Promise<object> {
    const user = this.userOf(session.userId);
    return {
      ...sessionView(session),
      actor: null,
      tasks: [],
      factor_verification_age: factorAges(session, this.now()),
      user: user ? userView(user) : null,
      public_user_data: user ? { ...nameView(user), identifier: user.email, user_id: user.id } : null,
      last_active_token: { object: 'token', jwt: await this.tokens.sessionToken(session, origin) },
    };
  }

  private userOf(id: string | null): UserRecord | undefined {
    return id === null ? undefined : this.store.state.users.get(id);
  }
}

/** A session as the backend API returns it. */
export function sessionView(session: SessionRecord): object {
  return {
    object: 'session',
    id: session.id,
    client_id: session.clientId,
    user_id: session.userId,
    status: session.status,
    expire_at: session.expireAt,
    abandon_at: session.abandonAt,
    last_active_at: session.lastActiveAt,
    last_active_organization_id: null,
    created_at: session.createdAt,
    updated_at: session.lastActiveAt,
  };
}
