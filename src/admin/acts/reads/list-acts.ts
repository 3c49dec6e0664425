import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type AdminAct } from '../../../contract/acts.js';
import { type ActFilter } from '../../../contract/calls/acts.js';
import { DATABASE } from '../../../platform/database/database.js';
import { readActs } from './act-rows.js';

/** A page of the log of acts, the latest first. */
export class ListActs extends Query<AdminAct[]> {
  constructor(readonly input: { readonly filter: ActFilter; readonly before: number | null; readonly limit: number }) {
    super();
  }
}

@QueryHandler(ListActs)
export class ListActsHandler implements IQueryHandler<ListActs> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<unknown>) {}

  async execute({ input: { filter, before, limit } }: ListActs): Promise<AdminAct[]> {
    return readActs(this.db, filter, { before, limit, counted: true });
  }
}
