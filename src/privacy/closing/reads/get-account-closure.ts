import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type AccountClosure } from '../../../contract/closing.js';
import { QueryOf } from '../../../platform/messages.js';
import { ClosureRows } from '../closure-rows.js';
import { toAccountClosure } from '../receipt.js';

/** The closure of a user with its failures, for admins. Null when the account is not being closed. */
export class GetAccountClosure extends QueryOf<{ readonly userId: string }, AccountClosure | null> {}

@QueryHandler(GetAccountClosure)
export class GetAccountClosureHandler implements IQueryHandler<GetAccountClosure> {
  constructor(private readonly rows: ClosureRows) {}

  async execute({ input: { userId } }: GetAccountClosure): Promise<AccountClosure | null> {
    const row = await this.rows.findByUser(userId);
    return row && toAccountClosure(row);
  }
}
