import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { GetUser, type UserSummary } from './queries.js';
import { Users } from '../users.js';

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(private readonly users: Users) {}

  async execute({ userId }: GetUser): Promise<UserSummary | null> {
    const row = await this.users.find(userId);
    return row && { id: row.id, email: row.email, name: row.name, imageUrl: row.image_url };
  }
}
