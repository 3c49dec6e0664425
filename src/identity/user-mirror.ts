import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type Selectable } from 'kysely';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { AddressHasher } from './bonus/claim-key.js';
import { type ProviderUser } from './providers/provider-user.js';
import { type IdentityTables } from './tables.js';

export type UserRow = Selectable<IdentityTables['app_user']>;

/** Our copy of the provider's users. A late, repeated or reordered write changes nothing. */
@Injectable()
export class UserMirror {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<IdentityTables>,
    private readonly addresses: AddressHasher,
    private readonly clock: Clock,
  ) {}

  /** The row, also of a deleted or missing user. Undefined for an unknown id. */
  find(userId: string): Promise<UserRow | undefined> {
    return this.db.selectFrom('app_user').selectAll().where('id', '=', userId).executeTakeFirst();
  }

  /**
   * Stores the provider's state, unless the mirror has a newer one or the user is deleted. A user who has claimed the
   * sign-up bonus claims it for a new address too, so that the address gives no second one after a deletion.
   */
  async save(user: ProviderUser): Promise<void> {
    const now = this.clock.now();
    const saved = this.db
      .insertInto('app_user')
      .values({
        id: user.id,
        email: user.email,
        email_verified: user.emailVerified,
        address_hmac: user.email !== null && user.emailVerified ? this.addresses.hash(user.email) : null,
        name: user.name,
        image_url: user.imageUrl,
        roles: [...user.roles],
        created_at: now,
        updated_at: user.updatedAt,
      })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((excluded) => ({
            email: excluded.ref('excluded.email'),
            email_verified: excluded.ref('excluded.email_verified'),
            address_hmac: excluded.ref('excluded.address_hmac'),
            name: excluded.ref('excluded.name'),
            image_url: excluded.ref('excluded.image_url'),
            roles: excluded.ref('excluded.roles'),
            updated_at: excluded.ref('excluded.updated_at'),
            missing_at: null,
            looked_up_at: null,
          }))
          .where('app_user.deleted_at', 'is', null)
          .where((where) =>
            where.or([
              where('app_user.updated_at', 'is', null),
              where('app_user.updated_at', '<', where.ref('excluded.updated_at')),
              // The user is found again, or verified without a later time.
              where.and([
                where('app_user.updated_at', '=', where.ref('excluded.updated_at')),
                where.or([
                  where('app_user.missing_at', 'is not', null),
                  where('app_user.email_verified', '<', where.ref('excluded.email_verified')),
                ]),
              ]),
            ]),
          ),
      )
      .returning(['id', 'address_hmac']);
    await this.db
      .with('saved', () => saved)
      .insertInto('bonus_claim')
      .columns(['address_hmac', 'user_id', 'claimed_at'])
      .expression((from) =>
        from
          .selectFrom('saved')
          .select((column) => ['saved.address_hmac', 'saved.id', column.val(now).as('claimed_at')])
          .where('saved.address_hmac', 'is not', null)
          .where((where) =>
            where.exists(where.selectFrom('bonus_claim').whereRef('bonus_claim.user_id', '=', 'saved.id')),
          ),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Stores the id only. The other fields are read later. */
  async saveBare(userId: string): Promise<void> {
    await this.db
      .insertInto('app_user')
      .values({ id: userId, created_at: this.clock.now() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }

  /** The provider has no user with this id. Keeps the time since when. */
  async markMissing(userId: string): Promise<void> {
    const now = this.clock.now();
    await this.db
      .insertInto('app_user')
      .values({ id: userId, created_at: now, missing_at: now, looked_up_at: now })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((row) => ({
            missing_at: row.fn.coalesce('app_user.missing_at', row.val(now)),
            looked_up_at: now,
          }))
          .where('app_user.deleted_at', 'is', null),
      )
      .execute();
  }

  /** Erases the personal fields and keeps the id, so that no later write restores the user. */
  async markDeleted(userId: string): Promise<void> {
    const now = this.clock.now();
    await this.db
      .insertInto('app_user')
      .values({ id: userId, created_at: now, deleted_at: now })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({
            email: null,
            email_verified: null,
            address_hmac: null,
            name: null,
            image_url: null,
            roles: [],
            deleted_at: now,
          })
          .where('app_user.deleted_at', 'is', null),
      )
      .execute();
  }
}
