import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type TakeDownRow, TakeDownRows } from '../images/take-down-rows.js';

/** A creator's take-down request; null for an unknown one. */
export class GetTakeDown extends Query<TakeDownRow | null> {
  constructor(readonly input: { readonly requestId: string }) {
    super();
  }
}

@QueryHandler(GetTakeDown)
export class GetTakeDownHandler implements IQueryHandler<GetTakeDown> {
  constructor(private readonly requests: TakeDownRows) {}

  async execute({ input: { requestId } }: GetTakeDown): Promise<TakeDownRow | null> {
    return (await this.requests.find(requestId)) ?? null;
  }
}
