import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { settleDeduction } from '../account/decide.js';
import { type ImageHashes } from '../account/events.js';
import { AccountStore } from '../ledger/account-store.js';
import { SYSTEM_ACTOR } from '../ledger/pending-command.js';

/**
 * The image was delivered: the deduction is final. This is the moment at which revenue is earned.
 * @throws DeductionRefusedError when it is unknown, voided or refunded
 */
export class SettleDeduction extends CommandOf<
  {
    readonly userId: string;
    /** The generation's id. */
    readonly deductionId: string;
    /** The traces of what was delivered; by default not known. */
    readonly image?: Readonly<ImageHashes>;
  },
  void
> {}

@CommandHandler(SettleDeduction)
export class SettleDeductionHandler implements ICommandHandler<SettleDeduction> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input }: SettleDeduction): Promise<void> {
    const origin = { actorId: SYSTEM_ACTOR, correlationId: input.deductionId };
    await this.accounts.execute(input.userId, origin, (account, now) => settleDeduction(input, account, now));
  }
}
