import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type ReconciliationStarted } from '../../contract/reconciliation.js';
import { ProcessorUnavailableError } from '../../payments/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { ProcessorReader } from '../workers/processor-reader.js';

/**
 * Reads the processor and compares, now. Copies facts only: it moves no money and changes nothing in the ledger.
 * @throws DomainError unavailable while the processor does not answer
 */
export class RunReconciliation extends Command<ReconciliationStarted> {}

@CommandHandler(RunReconciliation)
export class RunReconciliationHandler implements ICommandHandler<RunReconciliation> {
  constructor(private readonly reader: ProcessorReader) {}

  async execute(): Promise<ReconciliationStarted> {
    try {
      return { state: await this.reader.readNow() };
    } catch (cause) {
      if (!(cause instanceof ProcessorUnavailableError)) throw cause;
      const message = 'The processor does not answer. The next run is in a minute.';
      throw new DomainError('unavailable', message, { retryAfterSeconds: 60, cause });
    }
  }
}
