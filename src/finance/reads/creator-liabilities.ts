import { QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type CreatorLiabilities } from '../../contract/finance.js';
import { GetCreators } from '../../creators/index.js';
import { type PageAfter, QueryOf, ReadHandler } from '../../platform/messages.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';
import { creatorsAfter } from './creator-sums.js';
import { checkedInstant } from './periods.js';
import { readCreatorMoney, readMoneyOfAll } from './read-creator-money.js';

/**
 * The shares of creators at an instant, in the order of their ids.
 * @param input `at` null: now; `after`: the id of a creator; null: from the first one
 */
export class ListCreatorLiabilities extends QueryOf<
  PageAfter<string> & { readonly at: Date | null },
  CreatorLiabilities
> {}

@QueryHandler(ListCreatorLiabilities)
export class ListCreatorLiabilitiesHandler extends ReadHandler<FinanceTables, ListCreatorLiabilities> {
  /** @throws DomainError invalid for an instant in the future, or before the first entry */
  async execute({ input: { at: wanted, limit, after } }: ListCreatorLiabilities): Promise<CreatorLiabilities> {
    const now = this.clock.now();
    const { money, beginsAt, rule } = await readMoneyOfAll(this.db, wanted ?? now);
    const at = checkedInstant(wanted, { now, beginsAt });
    const page = await readLiabilities({ db: this.db, queries: this.queries }, { at, limit, after });
    const paidAccount = rule === 1 ? ACCOUNT.payoutsPaid : ACCOUNT.bank;
    return { at: at.toISOString(), ...money, paid_account: paidAccount, ...page };
  }
}

/** A page of creators with what they are owed, in two statements. */
export async function readLiabilities(
  { db, queries }: { readonly db: Kysely<FinanceTables>; readonly queries: QueryBus },
  { at, limit, after }: PageAfter<string> & { readonly at: Date },
): Promise<Pick<CreatorLiabilities, 'creators' | 'next'>> {
  const found = await readCreatorMoney(db, creatorsAfter(after ?? '', limit + 1), at);
  const page = found.slice(0, limit);
  const creators = await queries.execute(
    new GetCreators({ creatorIds: page.map(({ creator_id: creator }) => creator) }),
  );
  return {
    creators: page.map((money) => {
      const { name = null, username = null } = creators.get(money.creator_id) ?? {};
      return { ...money, name, username };
    }),
    next: found.length > limit ? (page.at(-1)?.creator_id ?? null) : null,
  };
}
