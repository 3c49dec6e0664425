import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type TakeDownRequest } from '../../contract/gallery.js';
import { GetCreators } from '../../creators/index.js';
import { Clock } from '../../platform/clock.js';
import { type TakeDownOfImage, TakeDownRows, toTakeDownState } from '../take-down-rows.js';

/** A page of take-down requests for admins: open ones by their due date, or decided ones, the last decided first. */
export class ListTakeDowns extends Query<TakeDownRequest[]> {
  constructor(readonly input: { readonly resolved: boolean; readonly limit: number; readonly offset: number }) {
    super();
  }
}

@QueryHandler(ListTakeDowns)
export class ListTakeDownsHandler implements IQueryHandler<ListTakeDowns> {
  constructor(
    private readonly requests: TakeDownRows,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ input }: ListTakeDowns): Promise<TakeDownRequest[]> {
    const rows = await this.requests.list(input);
    const creators = await this.queries.execute(new GetCreators({ creatorIds: rows.map((row) => row.creator_id) }));
    return rows.map((row) => toTakeDownRequest(row, creators.get(row.creator_id)?.name, this.clock.now()));
  }
}

/** The request as admins see it. */
export function toTakeDownRequest(row: TakeDownOfImage, creatorName: string | undefined, now: Date): TakeDownRequest {
  return {
    ...toTakeDownState(row),
    generation_id: row.generation_id,
    creator_id: row.creator_id,
    creator_name: creatorName ?? 'Unknown Creator',
    prompt: row.prompt,
    image: row.image,
    overdue: row.decision === null && row.due_at < now,
  };
}
