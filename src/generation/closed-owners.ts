import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { CLOSING_MESSAGES } from '../contract/closing.js';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { DomainError } from '../platform/domain-error.js';
import { WITHHELD_CHANNEL } from './migrations.js';
import { type GenerationRow, type GenerationTables } from './tables.js';

/** Condition of a read of `generation`: the account of its owner is not closed. */
export const ownerIsOpen = sql<boolean>`not exists (
  select from generation_closed_owner closed where closed.user_id = generation.user_id)`;

/** The refusal of a call that would start something for a closed account. */
export function accountIsClosing(): DomainError {
  return new DomainError('conflict', CLOSING_MESSAGES.closing, { code: '55000' });
}

/** The users whose accounts are closed. */
@Injectable()
export class ClosedOwners {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly clock: Clock,
  ) {}

  /**
   * Hides everything of a user from this statement on. Repeating it changes nothing.
   * @returns the generations of the user that have files
   */
  async close(userId: string): Promise<Pick<GenerationRow, 'id' | 'image'>[]> {
    return (
      this.db
        .with('closed', (db) =>
          db
            .insertInto('generation_closed_owner')
            .values({ user_id: userId, closed_at: this.clock.now() })
            .onConflict((conflict) => conflict.doNothing()),
        )
        .selectFrom('generation')
        .select(['id', 'image'])
        // Until their files are deleted.
        .select(sql`pg_notify(${WITHHELD_CHANNEL}, '+' || split_part(image ->> 'url', '/', 3))`.as('withheld'))
        .where('user_id', '=', userId)
        .where('image', 'is not', null)
        .execute()
    );
  }

  /** The closed ones among some users. */
  async among(userIds: readonly string[], db: Kysely<GenerationTables> = this.db): Promise<ReadonlySet<string>> {
    const rows = await db
      .selectFrom('generation_closed_owner')
      .select('user_id')
      .where('user_id', '=', sql<string>`any(${[...userIds]}::text[])`)
      .execute();
    return new Set(rows.map((row) => row.user_id));
  }

  /** Records that the last prompt and image of a user were erased. */
  async markErased(userId: string): Promise<void> {
    await this.db
      .updateTable('generation_closed_owner')
      .set({ erased_at: this.clock.now() })
      .where('user_id', '=', userId)
      .execute();
  }
}
