import { DAY_MS } from '../../contract/durations.js';
import { type JsonObject } from '../../platform/json.js';

/** Milliseconds since the epoch, as in Clerk's API. */
type Instant = number;

export interface UserRecord {
  readonly id: string;
  readonly emailId: string;
  readonly createdAt: Instant;
  email: string;
  /** Missing means true: a sign-up verifies the address. Only the backend API changes it. */
  emailVerified?: boolean;
  /** See `passwords.ts`. */
  passwordHash: string;
  firstName: string | null;
  lastName: string | null;
  publicMetadata: JsonObject;
  privateMetadata: JsonObject;
  unsafeMetadata: JsonObject;
  /** Grows with every change, so that webhook receivers can order the changes. */
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
  /** The last verification of the first factor: the sign-in, or a reverification. */
  verifiedAt: Instant;
  /** Missing before the first reverification. */
  reverification?: ReverificationRecord;
  status: SessionStatus;
  lastActiveAt: Instant;
}

/** The latest reverification of a session. */
export interface ReverificationRecord {
  status: 'needs_first_factor' | 'complete';
  factor: { strategy: 'password' | 'email_code'; verified: boolean } | null;
}

/** A browser; Clerk calls it a client. */
export interface ClientRecord {
  readonly id: string;
  /** Value of the `__client` cookie. It is secret, unlike the id. */
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

/** A webhook that is not acknowledged yet. */
export interface DeliveryRecord {
  readonly id: string;
  readonly body: string;
  attempts: number;
}

/** Records by the name of their collection. */
export type StoredState = Readonly<Record<string, readonly { readonly id: string }[] | undefined>>;

/** The complete state of the sandbox. */
export class SandboxState {
  readonly users = new Map<string, UserRecord>();
  readonly sessions = new Map<string, SessionRecord>();
  readonly clients = new Map<string, ClientRecord>();
  readonly signUps = new Map<string, SignUpRecord>();
  readonly signIns = new Map<string, SignInRecord>();
  readonly deliveries = new Map<string, DeliveryRecord>();

  /** The form in which the state is stored. */
  toStored(): StoredState {
    return Object.fromEntries(COLLECTIONS.map((name) => [name, [...this[name].values()]]));
  }

  static fromStored(stored: StoredState): SandboxState {
    const state = new SandboxState();
    for (const name of COLLECTIONS) {
      const collection = state[name] as Map<string, { id: string }>;
      for (const record of stored[name] ?? []) collection.set(record.id, record);
    }
    // Sessions of a folder from before reverification existed
    for (const session of state.sessions.values()) session.verifiedAt ??= session.createdAt;
    return state;
  }

  /** Removes expired records: attempts older than a day, abandoned sessions, and day-old browsers without a session. */
  prune(now: Instant): void {
    for (const attempts of [this.signUps, this.signIns]) {
      for (const [id, attempt] of attempts) if (now - attempt.createdAt > DAY_MS) attempts.delete(id);
    }
    for (const [id, session] of this.sessions) if (session.abandonAt < now) this.sessions.delete(id);
    const inUse = new Set([...this.sessions.values()].map((session) => session.clientId));
    for (const [id, client] of this.clients) {
      if (!inUse.has(id) && now - client.createdAt > DAY_MS) this.clients.delete(id);
    }
  }
}

const COLLECTIONS = ['users', 'sessions', 'clients', 'signUps', 'signIns', 'deliveries'] as const;
