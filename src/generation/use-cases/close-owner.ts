import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ClosedOwners } from '../closed-owners.js';

/** Hides all generations of a user whose account is closed, and refuses new ones. Repeating it changes nothing. */
export class CloseOwner extends Command<void> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

@CommandHandler(CloseOwner)
export class CloseOwnerHandler implements ICommandHandler<CloseOwner> {
  constructor(private readonly owners: ClosedOwners) {}

  async execute({ input: { userId } }: CloseOwner): Promise<void> {
    await this.owners.close(userId);
  }
}
