import { Inject, Injectable, Logger } from '@nestjs/common';
import { type ClerkClient } from '@clerk/backend';
import { Clock } from '../platform/clock.js';
import { CLERK, fetchProviderUser } from './providers/clerk.js';
import { type ProviderUser } from './providers/provider-user.js';
import { RecentIds } from './providers/recent-ids.js';
import { UserMirror, type UserRow } from './user-mirror.js';

/** How many users are taken as known without asking the database. */
const REMEMBERED_USERS = 20_000;
/** For how long: another instance may have heard meanwhile that the user was deleted. As long as a token lives. */
const REMEMBERED_MS = 60_000;

/** The users of the product: read from the mirror, which is filled from the provider on first sight and by webhook. */
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
   * Whether the id of a verified token belongs to a user, mirrored from now on if it was not. False for a deleted one.
   * A provider that cannot be asked does not keep anybody out: the row is completed another time.
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

  /** The user as far as it is known; null when there is none, or no longer. */
  async find(userId: string): Promise<UserRow | null> {
    const row = await this.mirror.find(userId);
    if (row?.updated_at || row?.deleted_at) return present(row);
    await this.tryRefresh(userId);
    return present(await this.mirror.find(userId));
  }

  /** Reads the user from the provider into the mirror; null when it has none of that id. @throws as `fetchProviderUser` */
  async refresh(userId: string): Promise<ProviderUser | null> {
    const user = await fetchProviderUser(this.clerk, userId);
    await (user ? this.mirror.save(user) : this.forget(userId));
    return user;
  }

  /** Keeps what a webhook told. */
  save(user: ProviderUser): Promise<void> {
    return this.mirror.save(user);
  }

  /** The provider deleted the user: tokens that are still valid are refused from now on. */
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

  /** False when the provider could not be asked. */
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
