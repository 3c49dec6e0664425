import { Inject, Injectable, Logger } from '@nestjs/common';
import { type ClerkClient } from '@clerk/backend';
import { Clock } from '../platform/clock.js';
import { CLERK, fetchProviderUser } from './providers/clerk.js';
import { type ProviderUser } from './providers/provider-user.js';
import { RecentIds } from './providers/recent-ids.js';
import { UserMirror, type UserRow } from './user-mirror.js';

/** Maximum number of users that are remembered without a database read. */
const REMEMBERED_USERS = 20_000;
/** How long a user is remembered. It delays a deletion that another instance received; a token is valid as long. */
const REMEMBERED_MS = 60_000;

/** Users, read from the mirror. The mirror is filled from the provider when a user is first seen and by webhooks. */
@Injectable()
export class Users {
  private readonly logger = new Logger(Users.name);
  private readonly known = new RecentIds(REMEMBERED_USERS, REMEMBERED_MS);
  private readonly arriving = new Map<string, Promise<boolean>>();

  constructor(
    private readonly mirror: UserMirror,
    @Inject(CLERK) private readonly clerk: ClerkClient,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether the id of a verified token belongs to a user. An unknown user is mirrored; a deleted one is not present.
   * When the provider does not answer, the user is accepted and the row is completed later.
   */
  async isPresent(userId: string): Promise<boolean> {
    if (this.known.has(userId, this.clock.now())) return true;
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
    if (row?.updated_at || row?.deleted_at) return present(row);
    await this.tryRefresh(userId);
    return present(await this.mirror.find(userId));
  }

  /** Reads the user from the provider into the mirror. Null for an unknown id. @throws as `fetchProviderUser` */
  async refresh(userId: string): Promise<ProviderUser | null> {
    const user = await fetchProviderUser(this.clerk, userId);
    await (user ? this.mirror.save(user) : this.forget(userId));
    return user;
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

  private async arrive(userId: string): Promise<boolean> {
    let row = await this.mirror.find(userId);
    if (!row?.updated_at && !row?.deleted_at) {
      if (!(await this.tryRefresh(userId))) await this.mirror.saveBare(userId);
      row = await this.mirror.find(userId);
    }
    if (!row || row.deleted_at) return false;
    this.known.add(userId, this.clock.now());
    return true;
  }

  /** False when the provider did not answer. */
  private async tryRefresh(userId: string): Promise<boolean> {
    try {
      await this.refresh(userId);
      return true;
    } catch (error) {
      this.logger.warn({ message: 'A user could not be read from the identity provider.', userId, error });
      return false;
    }
  }
}

function present(row: UserRow | undefined): UserRow | null {
  return row && !row.deleted_at ? row : null;
}
