import { type JsonObject } from '../../platform/json.js';

/** Times are milliseconds since the epoch, as on Clerk's wire. */
type Instant = number;

export interface UserRecord {
  readonly id: string;
  readonly emailId: string;
  readonly createdAt: Instant;
  email: string;
  /** See `passwords.ts`. */
  passwordHash: string;
  firstName: string | null;
  lastName: string | null;
  publicMetadata: JsonObject;
  privateMetadata: JsonObject;
  unsafeMetadata: JsonObject;
  /** Grows with every change, so that receivers of webhooks can order them. */
  updatedAt: Instant;
  lastSignInAt: Instant | null;
  lastActiveAt: Instant | null;
}

export type SessionStatus = 'active' | 'ended' | 'removed' | 'revoked';

export interface SessionRecord {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
  readonly createdAt: Instant;
  readonly expireAt: Instant;
  readonly abandonAt: Instant;
  status: SessionStatus;
  lastActiveAt: Instant;
}

/** One browser. */
export interface ClientRecord {
  readonly id: string;
  /** Value of the `__client` cookie; the id is no secret, this is. */
  readonly token: string;
  readonly createdAt: Instant;
  signInId: string | null;
  signUpId: string | null;
  lastActiveSessionId: string | null;
}

export interface SignUpRecord {
  readonly id: string;
  readonly clientId: string;
  readonly createdAt: Instant;
  email: string | null;
  passwordHash: string | null;
  firstName: string | null;
  lastName: string | null;
  unsafeMetadata: JsonObject;
  codeSent: boolean;
  /** Set when the sign-up is complete. */
  userId: string | null;
  sessionId: string | null;
}

export type FirstFactor = 'password' | 'email_code' | 'reset_password_email_code';

export interface SignInRecord {
  readonly id: string;
  readonly clientId: string;
  readonly createdAt: Instant;
  status: 'needs_identifier' | 'needs_first_factor' | 'needs_new_password' | 'complete';
  userId: string | null;
  factor: { strategy: FirstFactor; verified: boolean } | null;
  sessionId: string | null;
}

/** A webhook that was not acknowledged yet. */
export interface DeliveryRecord {
  readonly id: string;
  readonly body: string;
  attempts: number;
}

/** Everything the sandbox remembers. */
export class SandboxState {
  readonly users = new Map<string, UserRecord>();
  readonly sessions = new Map<string, SessionRecord>();
  readonly clients = new Map<string, ClientRecord>();
  readonly signUps = new Map<string, SignUpRecord>();
  readonly signIns = new Map<string, SignInRecord>();
  readonly deliveries = new Map<string, DeliveryRecord>();

  toJson(): string {
    return JSON.stringify(Object.fromEntries(COLLECTIONS.map((name) => [name, [...this[name].values()]])));
  }

  static fromJson(text: string): SandboxState {
    const stored = JSON.parse(text) as Record<string, { id: string }[] | undefined>;
    const state = new SandboxState();
    for (const name of COLLECTIONS) {
      const collection = state[name] as Map<string, { id: string }>;
      for (const record of stored[name] ?? []) collection.set(record.id, record);
    }
    return state;
  }

  /** Forgets what can no longer matter: attempts older than a day, sessions and empty browsers past their end. */
  prune(now: Instant): void {
    for (const attempts of [this.signUps, this.signIns]) {
      for (const [id, attempt] of attempts) if (now - attempt.createdAt > DAY) attempts.delete(id);
    }
    for (const [id, session] of this.sessions) if (session.abandonAt < now) this.sessions.delete(id);
    const inUse = new Set([...this.sessions.values()].map((session) => session.clientId));
    for (const [id, client] of this.clients) {
      if (!inUse.has(id) && now - client.createdAt > DAY) this.clients.delete(id);
    }
  }
}

const DAY = 86_400_000;
const COLLECTIONS = ['users', 'sessions', 'clients', 'signUps', 'signIns', 'deliveries'] as const;
