import { DAY_MS } from '../../contract/durations.js';
import { type Json, type JsonObject } from '../../platform/json.js';
import { emailTaken } from './errors.js';
import { newId } from './ids.js';
import { hashPassword } from './passwords.js';
import { type ClientRecord, type SessionRecord, type SessionStatus, type UserRecord } from './state.js';
import { type Store } from './store.js';
import { withPrivateMetadata } from './views/user-view.js';
import { type WebhookOutbox } from './webhooks.js';

const SESSION_LIFETIME_MS = 7 * DAY_MS;
const SESSION_ABANDON_MS = 30 * DAY_MS;

export interface NewUser extends Omit<AccountSpec, 'password'> {
  readonly passwordHash: string;
  readonly privateMetadata?: JsonObject;
  readonly unsafeMetadata?: JsonObject;
}

/** An account to be created by the owner of the sandbox. */
export interface AccountSpec {
  readonly email: string;
  readonly password: string;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly publicMetadata?: JsonObject;
}

export type MetadataKind = 'publicMetadata' | 'privateMetadata' | 'unsafeMetadata';

/** Users and their sessions. Changes apply in memory; the caller must commit the store before it responds. */
export class Accounts {
  constructor(
    private readonly store: Store,
    private readonly outbox: WebhookOutbox,
    private readonly now: () => Date,
  ) {}

  byEmail(email: string): UserRecord | undefined {
    const wanted = email.trim().toLowerCase();
    for (const user of this.store.state.users.values()) if (user.email === wanted) return user;
    return undefined;
  }

  /** @throws ClerkRefusal when the address is taken */
  create(user: NewUser): UserRecord {
    if (this.byEmail(user.email)) throw emailTaken();
    const now = this.now().getTime();
    const record: UserRecord = {
      id: newId('user'),
      emailId: newId('idn'),
      email: user.email.trim().toLowerCase(),
      passwordHash: user.passwordHash,
      firstName: user.firstName ?? null,
      lastName: user.lastName ?? null,
      publicMetadata: user.publicMetadata ?? {},
      privateMetadata: user.privateMetadata ?? {},
      unsafeMetadata: user.unsafeMetadata ?? {},
      createdAt: now,
      updatedAt: now,
      lastSignInAt: null,
      lastActiveAt: null,
    };
    this.store.state.users.set(record.id, record);
    this.outbox.add('user.created', withPrivateMetadata(record), now);
    return record;
  }

  /** Returns the account with this address and creates it when missing. An existing account is not changed. */
  async ensure(spec: AccountSpec): Promise<{ userId: string; created: boolean }> {
    let known = this.byEmail(spec.email);
    if (known) return { userId: known.id, created: false };
    const passwordHash = await hashPassword(spec.password);
    known = this.byEmail(spec.email);
    const user = known ?? this.create({ ...spec, passwordHash });
    await this.store.commit();
    return { userId: user.id, created: known === undefined };
  }

  update(
    user: UserRecord,
    change: Partial<Pick<UserRecord, 'firstName' | 'lastName' | 'passwordHash' | 'emailVerified'>>,
  ): void {
    Object.assign(user, change);
    this.changed(user);
  }

  /** Merges deeply; null removes a key, as at Clerk. */
  mergeMetadata(user: UserRecord, change: Partial<Record<MetadataKind, JsonObject>>): void {
    for (const [kind, patch] of Object.entries(change))
      user[kind as MetadataKind] = merge(user[kind as MetadataKind], patch);
    this.changed(user);
  }

  replaceMetadata(user: UserRecord, change: Partial<Record<MetadataKind, JsonObject>>): void {
    Object.assign(user, change);
    this.changed(user);
  }

  /** Removes the account with the sign-ups that hold its address, and revokes its sessions. */
  delete(user: UserRecord): void {
    const { users, signUps } = this.store.state;
    users.delete(user.id);
    for (const [id, { userId, email }] of signUps) {
      if (userId === user.id || email === user.email) signUps.delete(id);
    }
    for (const session of this.sessionsOf(user.id)) session.status = 'revoked';
    this.outbox.add('user.deleted', { id: user.id, object: 'user', deleted: true }, this.now().getTime());
  }

  startSession(client: ClientRecord, user: UserRecord): SessionRecord {
    const now = this.now().getTime();
    const session: SessionRecord = {
      id: newId('sess'),
      clientId: client.id,
      userId: user.id,
      status: 'active',
      createdAt: now,
      lastActiveAt: now,
      verifiedAt: now,
      expireAt: now + SESSION_LIFETIME_MS,
      abandonAt: now + SESSION_ABANDON_MS,
    };
    this.store.state.sessions.set(session.id, session);
    client.lastActiveSessionId = session.id;
    user.lastSignInAt = now;
    user.lastActiveAt = now;
    return session;
  }

  isActive(session: SessionRecord): boolean {
    return session.status === 'active' && session.expireAt > this.now().getTime();
  }

  activeSessions(client: ClientRecord): SessionRecord[] {
    return [...this.store.state.sessions.values()].filter(
      (session) => session.clientId === client.id && this.isActive(session),
    );
  }

  sessionsOf(userId: string): SessionRecord[] {
    return [...this.store.state.sessions.values()].filter((session) => session.userId === userId);
  }

  end(session: SessionRecord, status: Exclude<SessionStatus, 'active'>): void {
    session.status = status;
  }

  private changed(user: UserRecord): void {
    user.updatedAt = Math.max(this.now().getTime(), user.updatedAt + 1);
    this.outbox.add('user.updated', withPrivateMetadata(user), user.updatedAt);
  }
}

function merge(base: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    const before = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isObject(value) && isObject(before) ? merge(before, value) : value;
  }
  return merged;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
