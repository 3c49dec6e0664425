import { QueryHandler } from '@nestjs/cqrs';
import {
  type AccountBalanceAt,
  type AccountProblem,
  type AccountStatement,
  type LedgerAccountsPage,
} from '../../contract/audit.js';
import { accountStream } from '../../credits/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { type PageAfter, QueryOf } from '../../platform/messages.js';
import { balanceAt, statementOf, statementPage, type StatementLine } from '../history/account-history.js';
import { listAccounts, type ListedAccount } from '../search/list-accounts.js';
import { coveringSeals, type CoveringSeal } from '../seals/covering-seal.js';
import { LedgerRead, orDeleted } from './ledger-read.js';
import { PROBLEMS_SHOWN } from './ledger-verification.js';

/** A page of the accounts, by user id. @param input `after`: `next` of the page before */
export class ListLedgerAccounts extends QueryOf<PageAfter<string>, LedgerAccountsPage> {}

/** The balance of an account at an instant. @throws DomainError notFound, gone */
export class GetAccountBalanceAt extends QueryOf<{ readonly userId: string; readonly at: Date }, AccountBalanceAt> {}

/** A page of the statement of an account: `limit` lines after the first `offset`. @throws DomainError notFound, gone */
export class GetAccountStatement extends QueryOf<
  {
    readonly userId: string;
    readonly period: { readonly from: Date; readonly to: Date };
    readonly page: { readonly offset: number; readonly limit: number; readonly newestFirst: boolean };
  },
  AccountStatement
> {}

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

@QueryHandler(GetAccountBalanceAt)
export class GetAccountBalanceAtHandler extends LedgerRead<GetAccountBalanceAt> {
  async execute({ input: { userId, at } }: GetAccountBalanceAt): Promise<AccountBalanceAt> {
    await requireAccount(this.eventStore, userId);
    const problems = new Problems();
    const { userId: user_id, ...found } = await balanceAt(this.eventStore, userId, at, problems.add);
    return { user_id, ...found, problems: problems.shown };
  }
}

@QueryHandler(GetAccountStatement)
export class GetAccountStatementHandler extends LedgerRead<GetAccountStatement> {
  async execute({ input: { userId, period, page } }: GetAccountStatement): Promise<AccountStatement> {
    await requireAccount(this.eventStore, userId);
    const problems = new Problems();
    const parts = statementOf(this.eventStore, userId, period, problems.add);
    const { opening, closing, lines, totalLines } = await statementPage(parts, page);
    return {
      user_id: userId,
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      opening,
      closing,
      lines: await this.toWireLines(lines),
      total_lines: totalLines,
      problems: problems.shown,
    };
  }

  private async toWireLines(lines: readonly StatementLine[]): Promise<AccountStatement['lines']> {
    const stored = lines.flatMap(({ recordedAt }) => recordedAt ?? []);
    const seals = (await coveringSeals(this.pool, stored)).values();
    return lines.map((line) => toWireLine(line, line.recordedAt && (seals.next().value ?? null)));
  }
}

async function requireAccount(eventStore: EventStore, userId: string): Promise<void> {
  const first = await orDeleted(eventStore.readStream(accountStream(userId), { limit: 1 }));
  if (first.length === 0) throw new DomainError('notFound', 'There is no account of this user.');
}

class Problems {
  readonly shown: AccountProblem[] = [];
  readonly add = (problem: AccountProblem): void => {
    const { version, kind } = problem;
    if (this.shown.length < PROBLEMS_SHOWN) this.shown.push({ version, kind, what: problem.what });
  };
}

function toWireLine(line: StatementLine, seal: CoveringSeal | null): AccountStatement['lines'][number] {
  const { at, reference, amount, balance, version, hash } = line;
  return { at, what: line.what, reference, amount, balance, version, hash, seal: seal?.number ?? null };
}
