import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type TakeDownOfImage, TakeDownRows } from '../take-down-rows.js';

/** A creator's take-down request with its image, for admins; null for an unknown one. */
export class GetTakeDown extends Query<TakeDownOfImage | null> {
  constructor(readonly input: { readonly requestId: string }) {
    super();
  }
}

@QueryHandler(GetTakeDown)
export class GetTakeDownHandler implements IQueryHandler<GetTakeDown> {
  constructor(private readonly requests: TakeDownRows) {}

  async execute({ input: { requestId } }: GetTakeDown): Promise<TakeDownOfImage | null> {
    return (await this.requests.find(requestId)) ?? null;
  }
}
