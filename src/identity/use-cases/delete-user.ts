import { Inject } from '@nestjs/common';
import { type ClerkClient } from '@clerk/backend';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { CLERK, deleteProviderUser } from '../providers/clerk.js';
import { Users } from '../users.js';

/**
 * Deletes a user at the identity provider, and then the personal fields here. The id stays, so that no later webhook
 * restores the user. Repeating it changes nothing.
 * @throws when the provider fails or does not answer
 */
export class DeleteUser extends CommandOf<{ readonly userId: string }, void> {}

@CommandHandler(DeleteUser)
export class DeleteUserHandler implements ICommandHandler<DeleteUser> {
  constructor(
    @Inject(CLERK) private readonly clerk: ClerkClient,
    private readonly users: Users,
  ) {}

  async execute({ input: { userId } }: DeleteUser): Promise<void> {
    await deleteProviderUser(this.clerk, userId);
    await this.users.forget(userId);
  }
}
