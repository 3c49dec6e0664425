import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '../../platform/messages.js';
import { type SuspensionRow, Suspensions } from '../moderation/suspensions.js';

/** The suspension of a user that is in force; null without one. */
export class GetSuspension extends QueryOf<{ readonly userId: string }, SuspensionRow | null> {}

@QueryHandler(GetSuspension)
export class GetSuspensionHandler implements IQueryHandler<GetSuspension> {
  constructor(private readonly suspensions: Suspensions) {}

  async execute({ input: { userId } }: GetSuspension): Promise<SuspensionRow | null> {
    return (await this.suspensions.find(userId)) ?? null;
  }
}
