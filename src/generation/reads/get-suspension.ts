import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type SuspensionRow, Suspensions } from '../moderation/suspensions.js';

/** The suspension of a user that is in force; null without one. */
export class GetSuspension extends Query<SuspensionRow | null> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

@QueryHandler(GetSuspension)
export class GetSuspensionHandler implements IQueryHandler<GetSuspension> {
  constructor(private readonly suspensions: Suspensions) {}

  async execute({ input: { userId } }: GetSuspension): Promise<SuspensionRow | null> {
    return (await this.suspensions.find(userId)) ?? null;
  }
}
