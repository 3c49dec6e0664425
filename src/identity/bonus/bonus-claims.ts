import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { OncePerPerson, type PersonalClaim } from '../../platform/once-per-person.js';
import { type IdentityTables } from '../tables.js';
import { Users } from '../users.js';
import { AddressHasher } from './claim-key.js';

/** Users of an earlier version that are claimed for at once. */
const USERS_PER_READ = 1000;

/**
 * Claims of the sign-up bonus, by verified address. The primary key decides between concurrent claims of instances.
 * Claims are kept when their user is deleted.
 */
@Injectable()
export class BonusClaims extends OncePerPerson implements OnApplicationBootstrap {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<IdentityTables>,
    private readonly users: Users,
    private readonly addresses: AddressHasher,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** One statement, unless the user waits: then the provider is asked again from time to time. */
  override async claim(userId: string): Promise<PersonalClaim> {
    const claim = await this.tryClaim(userId);
    if (claim !== 'waiting' || !(await this.users.lookUpAgain(userId))) return claim;
    return this.tryClaim(userId);
  }

  /**
   * Claims for the users who were mirrored by a version without claims, the oldest first. Their addresses count as
   * verified.
   */
  async onApplicationBootstrap(): Promise<void> {
    for (;;) {
      const users = await this.db
        .selectFrom('app_user')
        .select(['id', 'email'])
        .where('email', 'is not', null)
        .where('email_verified', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .limit(USERS_PER_READ)
        .execute();
      if (users.length === 0) return;
      const ids = users.map(({ id }) => id);
      const hashes = users.map(({ email }) => (email === null ? null : this.addresses.hash(email)));
      await sql`
        with known as (
          select * from unnest(${ids}::text[], ${hashes}::bytea[]) with ordinality as given (id, address_hmac, place)
        ), marked as (
          update app_user set email_verified = true, address_hmac = known.address_hmac
          from known where app_user.id = known.id and app_user.email_verified is null
        )
        insert into bonus_claim (address_hmac, user_id, claimed_at)
        select address_hmac, id, ${this.clock.now()} from known where address_hmac is not null order by place
        on conflict do nothing`.execute(this.db);
    }
  }

  private async tryClaim(userId: string): Promise<PersonalClaim> {
    // The update of a conflicting row changes nothing. It waits for a concurrent claim and returns the row if it is the
    // user's own.
    const { rows } = await sql<{ verified: boolean; hashed: boolean; claimed: boolean }>`
      with person as (
        select id, address_hmac, coalesce(email_verified, false) and deleted_at is null and missing_at is null as verified
        from app_user where id = ${userId}
      ), claim as (
        insert into bonus_claim (address_hmac, user_id, claimed_at)
        select address_hmac, id, ${this.clock.now()} from person where verified and address_hmac is not null
        on conflict (address_hmac) do update set user_id = excluded.user_id
        where bonus_claim.user_id = excluded.user_id
        returning user_id
      )
      select verified, address_hmac is not null as hashed,
        exists (select from claim) or exists (select from bonus_claim b where b.user_id = person.id) as claimed
      from person`.execute(this.db);
    const [person] = rows;
    if (person?.claimed) return 'claimed';
    if (!person?.verified) return 'waiting';
    return person.hashed ? 'taken' : 'refused';
  }
}
