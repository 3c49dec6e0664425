import { Inject, Injectable, Logger } from '@nestjs/common';
import { type ClerkClient } from '@clerk/backend';
import { Clock } from '../platform/clock.js';
import { CLERK, fetchProviderUser } from './providers/clerk.js';
import { isLookUpDue } from './missing-users.js';
import { type ProviderUser } from './providers/provider-user.js';
import { RecentIds } from '../platform/recent-ids.js';
import { UserMirror, type UserRow } from './user-mirror.js';

/** Maximum number of users that are remembered without a database read. */
const REMEMBERED_USERS = 20_000;
/** How long a user is remembered. It delays a deletion that another instance received; a token is valid as long. */
const REMEMBERED_MS = 60_000;
/** Shortest time between two look-ups of a user who waits for a verified address. */
const LOOK_UP_PAUSE_MS = 15_000;

/**
 * - `missing`: the provider has no such user at the moment. Not final: it may be behind, or have made a mistake.
 * - `deleted`: final.
 */
export type Presence = 'present' | 'missing' | 'deleted';

/** Users, read from the mirror. The mirror is filled from the provider when a user is first seen and by webhooks. */
@Injectable()
export class Users {
  private readonly logger = new Logger(Users.name);
  private readonly known = new RecentIds(REMEMBERED_USERS, REMEMBERED_MS);
  private readonly lookedUp = new RecentIds(REMEMBERED_USERS, LOOK_UP_PAUSE_MS);
  private readonly arriving = new Map<string, Promise<Presence>>();

  constructor(
    private readonly mirror: UserMirror,
    @Inject(CLERK) private readonly clerk: ClerkClient,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether the id of a verified token belongs to a user. An unknown user is mirrored, a missing one looked up again
   * with growing pauses. When the provider does not answer, a new user is accepted and the row is completed later.
   */
  async presenceOf(userId: string): Promise<Presence> {
    if (this.known.has(userId, this.clock.now())) return 'present';
    let arrival = this.arriving.get(userId);
    if (!arrival) {
      arrival = this.arrive(userId).finally(() => this.arriving.delete(userId));
      this.arriving.set(userId, arrival);
    }
    return arrival;
  }

  /** The user, with the fields that are known. Null for an unknown or deleted one. */
  async find(userId: string): Promise<UserRow | null> {
    const row = await this.mirror.find(userId);
    if (row?.updated_at || row?.deleted_at || !isLookUpDue(row, this.clock.now())) return mirrored(row);
    await this.tryRefresh(userId);
    return mirrored(await this.mirror.find(userId));
  }

  /**
   * Reads the user from the provider into the mirror. Null for an unknown id, which is marked as missing.
   * @throws as `fetchProviderUser`
   */
  async refresh(userId: string): Promise<ProviderUser | null> {
    const user = await fetchProviderUser(this.clerk, userId);
    if (user) {
      await this.mirror.save(user);
    } else {
      await this.mirror.markMissing(userId);
      this.known.delete(userId);
    }
    return user;
  }

  /** Reads the user again, unless the provider was asked in the last 15 seconds. False when nothing was read. */
  async lookUpAgain(userId: string): Promise<boolean> {
    return !this.lookedUp.has(userId, this.clock.now()) && this.tryRefresh(userId);
  }

  /** Stores a user from a webhook. */
  save(user: ProviderUser): Promise<void> {
    return this.mirror.save(user);
  }

  /** Marks a user as deleted. Tokens that are still valid are refused from now on. */
  async forget(userId: string): Promise<void> {
    await this.mirror.markDeleted(userId);
    this.known.delete(userId);
  }

  private async arrive(userId: string): Promise<Presence> {
    let row = await this.mirror.find(userId);
    const complete = row?.deleted_at || (row?.updated_at && !row.missing_at);
    if (!complete && isLookUpDue(row, this.clock.now())) {
      if (!(await this.tryRefresh(userId)) && !row) await this.mirror.saveBare(userId);
      row = await this.mirror.find(userId);
    }
    if (!row || row.deleted_at) return 'deleted';
    if (row.missing_at) return 'missing';
    this.known.add(userId, this.clock.now());
    return 'present';
  }

  /** False when the provider did not answer. */
  private async tryRefresh(userId: string): Promise<boolean> {
    this.lookedUp.add(userId, this.clock.now());
    try {
      await this.refresh(userId);
      return true;
    } catch (error) {
      this.logger.warn({ message: 'A user could not be read from the identity provider.', userId, error });
      return false;
    }
  }
}

/** Null for a deleted user, and for one that the provider has never known. */
function mirrored(row: UserRow | undefined): UserRow | null {
  return row && !row.deleted_at && !(row.missing_at && !row.updated_at) ? row : null;
}
