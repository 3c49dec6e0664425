import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type ClosingReceipt } from '../../../contract/closing.js';
import { QueryOf } from '../../../platform/messages.js';
import { ClosureRows } from '../closure-rows.js';
import { hashToken, toReceipt } from '../receipt.js';

/** The receipt of a closure by its token. Null for an unknown token. */
export class GetClosingReceipt extends QueryOf<{ readonly token: string }, ClosingReceipt | null> {}

@QueryHandler(GetClosingReceipt)
export class GetClosingReceiptHandler implements IQueryHandler<GetClosingReceipt> {
  constructor(private readonly rows: ClosureRows) {}

  async execute({ input: { token } }: GetClosingReceipt): Promise<ClosingReceipt | null> {
    const row = await this.rows.findByToken(hashToken(token));
    return row && toReceipt(row);
  }
}
