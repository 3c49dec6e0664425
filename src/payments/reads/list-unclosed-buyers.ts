import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type PaymentTables } from '../tables.js';

/** The users among these, all of closed accounts, with an open checkout, a link to a receipt or a suspension. */
export class ListUnclosedBuyers extends QueryOf<{ readonly userIds: readonly string[] }, readonly string[]> {}

@QueryHandler(ListUnclosedBuyers)
export class ListUnclosedBuyersHandler extends ReadHandler<PaymentTables, ListUnclosedBuyers> {
  async execute({ input: { userIds } }: ListUnclosedBuyers): Promise<readonly string[]> {
    // With a limit, each is answered from an index. As `exists` they may be hashed, which reads the whole table.
    const { rows } = await sql<{ user_id: string }>`
      select user_id from unnest(${[...userIds]}::text[]) as closed (user_id)
      where (select true from checkout c
          where c.user_id = closed.user_id and c.status in ('creating', 'open') limit 1)
        or (select true from checkout c
          where c.user_id = closed.user_id and c.session_id is not null and c.receipt_url is not null limit 1)
        or (select true from payment_suspended_buyer s where s.user_id = closed.user_id limit 1)`.execute(this.db);
    return rows.map((row) => row.user_id);
  }
}
