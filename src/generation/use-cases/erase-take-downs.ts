import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { TakeDownRows } from '../images/take-down-rows.js';

/** Ends and erases the take-down requests of a creator whose account is closed. Repeating it changes nothing. */
export class EraseTakeDowns extends Command<void> {
  constructor(readonly input: { readonly creatorId: string }) {
    super();
  }
}

@CommandHandler(EraseTakeDowns)
export class EraseTakeDownsHandler implements ICommandHandler<EraseTakeDowns> {
  constructor(private readonly requests: TakeDownRows) {}

  async execute({ input: { creatorId } }: EraseTakeDowns): Promise<void> {
    await this.requests.eraseOfCreator(creatorId);
  }
}
