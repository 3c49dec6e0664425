import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type Selectable } from 'kysely';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { type ProviderUser } from './providers/provider-user.js';
import { type IdentityTables } from './tables.js';

export type UserRow = Selectable<IdentityTables['app_user']>;

/** Our copy of the provider's users. A late, repeated or reordered write changes nothing. */
@Injectable()
export class UserMirror {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<IdentityTables>,
    private readonly clock: Clock,
  ) {}

  /** The row, also of a deleted user. Undefined for an unknown id. */
  find(userId: string): Promise<UserRow | undefined> {
    return this.db.selectFrom('app_user').selectAll().where('id', '=', userId).executeTakeFirst();
  }

  /** Stores the provider's state, unless the mirror has a newer one or the user is deleted. */
  async save(user: ProviderUser): Promise<void> {
    await this.db
      .insertInto('app_user')
      .values({
        id: user.id,
        email: user.email,
        name: user.name,
        image_url: user.imageUrl,
        roles: [...user.roles],
        created_at: this.clock.now(),
        updated_at: user.updatedAt,
      })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((excluded) => ({
            email: excluded.ref('excluded.email'),
            name: excluded.ref('excluded.name'),
            image_url: excluded.ref('excluded.image_url'),
            roles: excluded.ref('excluded.roles'),
            updated_at: excluded.ref('excluded.updated_at'),
          }))
          .where('app_user.deleted_at', 'is', null)
          .where((where) =>
            where.or([
              where('app_user.updated_at', 'is', null),
              where('app_user.updated_at', '<', where.ref('excluded.updated_at')),
            ]),
          ),
      )
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

  /** Erases the personal fields and keeps the id, so that no later write restores the user. */
  async markDeleted(userId: string): Promise<void> {
    const now = this.clock.now();
    await this.db
      .insertInto('app_user')
      .values({ id: userId, created_at: now, deleted_at: now })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ email: null, name: null, image_url: null, roles: [], deleted_at: now })
          .where('app_user.deleted_at', 'is', null),
      )
      .execute();
  }
}
