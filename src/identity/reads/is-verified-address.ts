import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '../../platform/messages.js';
import { type UserRow } from '../user-mirror.js';
import { Users } from '../users.js';

/**
 * Whether an address is the user's verified primary address. Case does not matter. When the mirror knows another one,
 * the provider is asked, at most once in 15 seconds.
 */
export class IsVerifiedAddress extends QueryOf<{ readonly userId: string; readonly email: string }, boolean> {}

@QueryHandler(IsVerifiedAddress)
export class IsVerifiedAddressHandler implements IQueryHandler<IsVerifiedAddress> {
  constructor(private readonly users: Users) {}

  async execute({ input: { userId, email } }: IsVerifiedAddress): Promise<boolean> {
    if (matches(await this.users.find(userId), email)) return true;
    return (await this.users.lookUpAgain(userId)) && matches(await this.users.find(userId), email);
  }
}

function matches(user: UserRow | null, email: string): boolean {
  return user?.email_verified === true && user.email?.toLowerCase() === email.trim().toLowerCase();
}
