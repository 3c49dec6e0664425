import { type QueryBus } from '@nestjs/cqrs';
import { GetUser } from '../identity/index.js';

/** The name of an admin. Null for other users, for the product itself, and without a name. */
export async function nameOfAdmin(queries: QueryBus, userId: string): Promise<string | null> {
  const user = await queries.execute(new GetUser({ userId }));
  return user?.roles.includes('admin') ? user.name : null;
}
