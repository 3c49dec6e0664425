import { QueryHandler } from '@nestjs/cqrs';
import { type LedgerAccountsPage } from '../../contract/audit.js';
import { type PageAfter, QueryOf } from '../../platform/messages.js';
import { listAccounts, type ListedAccount } from '../search/list-accounts.js';
import { LedgerRead } from './ledger-read.js';

/** A page of the accounts, by user id. @param input `after`: `next` of the page before */
export class ListLedgerAccounts extends QueryOf<PageAfter<string>, LedgerAccountsPage> {}

@QueryHandler(ListLedgerAccounts)
export class ListLedgerAccountsHandler extends LedgerRead<ListLedgerAccounts> {
  async execute({ input: { after, limit } }: ListLedgerAccounts): Promise<LedgerAccountsPage> {
    const found = await listAccounts(this, { after, limit, now: this.clock.now() });
    return {
      accounts: found.map(toWireAccount),
      next: found.length < limit ? null : (found.at(-1)?.userId ?? null),
    };
  }
}

function toWireAccount(account: ListedAccount): LedgerAccountsPage['accounts'][number] {
  const { userId: user_id, version, head, lastEventAt: last_event_at, balance, owed, balanceVersion } = account;
  return { user_id, version, head, last_event_at, balance, owed, balance_version: balanceVersion };
}
