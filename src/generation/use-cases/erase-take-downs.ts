import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { TakeDownRows } from '../images/take-down-rows.js';

/** Ends and erases the take-down requests of a creator whose account is closed. Repeating it changes nothing. */
export class EraseTakeDowns extends CommandOf<{ readonly creatorId: string }, void> {}

@CommandHandler(EraseTakeDowns)
export class EraseTakeDownsHandler implements ICommandHandler<EraseTakeDowns> {
  constructor(private readonly requests: TakeDownRows) {}

  async execute({ input: { creatorId } }: EraseTakeDowns): Promise<void> {
    await this.requests.eraseOfCreator(creatorId);
  }
}
