import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '../../platform/messages.js';
import { PaymentProcessor, type ProcessorTransactions } from '../providers/payment-processor.js';

/**
 * The changes of our balance at the processor that follow a transaction, the oldest first.
 * @param input id of a transaction; null: from the very first one
 */
export class ReadTransactions extends QueryOf<string | null, ProcessorTransactions> {}

@QueryHandler(ReadTransactions)
export class ReadTransactionsHandler implements IQueryHandler<ReadTransactions> {
  constructor(private readonly processor: PaymentProcessor) {}

  /** @throws ProcessorNotFoundError when the processor does not know `after`, ProcessorUnavailableError */
  execute({ input: after }: ReadTransactions): Promise<ProcessorTransactions> {
    return this.processor.transactions(after);
  }
}

/** Our balance at the processor in US cents, available or not. */
export class ReadBalance extends Query<number> {}

@QueryHandler(ReadBalance)
export class ReadBalanceHandler implements IQueryHandler<ReadBalance> {
  constructor(private readonly processor: PaymentProcessor) {}

  /** @throws ProcessorUnavailableError */
  execute(): Promise<number> {
    return this.processor.balanceCents();
  }
}
