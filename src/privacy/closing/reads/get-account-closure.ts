import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AccountClosure } from '../../../contract/closing.js';
import { ClosureRows } from '../closure-rows.js';
import { toAccountClosure } from '../receipt.js';

/** The closure of a user with its failures, for admins. Null when the account is not being closed. */
export class GetAccountClosure extends Query<AccountClosure | null> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

@QueryHandler(GetAccountClosure)
export class GetAccountClosureHandler implements IQueryHandler<GetAccountClosure> {
  constructor(private readonly rows: ClosureRows) {}

  async execute({ input: { userId } }: GetAccountClosure): Promise<AccountClosure | null> {
    const row = await this.rows.findByUser(userId);
    return row && toAccountClosure(row);
  }
}
