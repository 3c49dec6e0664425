import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Role } from '../../contract/roles.js';
import { QueryOf } from '../../platform/messages.js';
import { Users } from '../users.js';

/** A user as other contexts need one. Personal data: show it to that user and to admins only. */
export interface UserSummary {
  readonly id: string;
  /** Null until the provider has answered. */
  readonly email: string | null;
  /** Null when the user gave none. */
  readonly name: string | null;
  readonly imageUrl: string | null;
  readonly firstSeenAt: Date;
  /** As last seen at the provider. */
  readonly roles: readonly Role[];
}

/** One user by id. Null for an unknown or deleted one. */
export class GetUser extends QueryOf<{ readonly userId: string }, UserSummary | null> {}

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(private readonly users: Users) {}

  async execute({ input: { userId } }: GetUser): Promise<UserSummary | null> {
    const row = await this.users.find(userId);
    if (!row) return null;
    return {
      id: row.id,
      email: row.email,
      name: row.name,
      imageUrl: row.image_url,
      firstSeenAt: row.created_at,
      roles: row.roles,
    };
  }
}
