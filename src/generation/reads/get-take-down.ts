import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '../../platform/messages.js';
import { type TakeDownRow, TakeDownRows } from '../images/take-down-rows.js';

/** A creator's take-down request; null for an unknown one. */
export class GetTakeDown extends QueryOf<{ readonly requestId: string }, TakeDownRow | null> {}

@QueryHandler(GetTakeDown)
export class GetTakeDownHandler implements IQueryHandler<GetTakeDown> {
  constructor(private readonly requests: TakeDownRows) {}

  async execute({ input: { requestId } }: GetTakeDown): Promise<TakeDownRow | null> {
    return (await this.requests.find(requestId)) ?? null;
  }
}
