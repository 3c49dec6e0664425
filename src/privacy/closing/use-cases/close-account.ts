import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOSING_CONFIRMATION, CLOSING_MESSAGES, type ClosingChoice } from '../../../contract/closing.js';
import { DomainError } from '../../../platform/domain-error.js';
import { CommandOf } from '../../../platform/messages.js';
import { ClosureRows } from '../closure-rows.js';
import { hideAccount } from '../hide-account.js';
import { hashToken, newReceiptToken } from '../receipt.js';
import { type ClosureRow } from '../tables.js';
import { ClosingWorker } from '../workers/closing-worker.js';

/**
 * Closes the account of a person. The closure is stored first, so a crash loses nothing. Before the answer nothing of
 * the account is public and it can start nothing; the worker does the rest.
 * @throws DomainError unprocessable without the confirmation
 */
export class CloseAccount extends CommandOf<
  { readonly userId: string; readonly choice: ClosingChoice; readonly confirmation: string },
  { readonly closure: ClosureRow; readonly receiptToken: string }
> {}

@CommandHandler(CloseAccount)
export class CloseAccountHandler implements ICommandHandler<CloseAccount> {
  constructor(
    private readonly rows: ClosureRows,
    private readonly commands: CommandBus,
    private readonly worker: ClosingWorker,
  ) {}

  async execute({ input }: CloseAccount): Promise<{ closure: ClosureRow; receiptToken: string }> {
    const { userId, choice, confirmation } = input;
    if (confirmation.trim().toUpperCase() !== CLOSING_CONFIRMATION) {
      throw new DomainError('unprocessable', CLOSING_MESSAGES.confirmation, { code: '22023' });
    }
    const receiptToken = newReceiptToken();
    const closure = await this.rows.open({ userId, choice, tokenHash: hashToken(receiptToken) });
    await hideAccount(this.commands, userId);
    this.worker.wake();
    return { closure, receiptToken };
  }
}
