import { Inject, Injectable } from '@nestjs/common';
import { Command, Query, QueryBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { Clock } from './clock.js';
import { DATABASE } from './database/database.js';

/** A query that has one input. */
export abstract class QueryOf<Input, Result> extends Query<Result> {
  constructor(readonly input: Input) {
    super();
  }
}

/** A command that has one input. */
export abstract class CommandOf<Input, Result> extends Command<Result> {
  constructor(readonly input: Input) {
    super();
  }
}

/** A page of a list, behind a place; null: the first page. */
export interface PageAfter<Place> {
  readonly after: Place | null;
  readonly limit: number;
}

/** A page of a list that begins with the latest; null: the first page. */
export interface PageBefore<Place> {
  readonly before: Place | null;
  readonly limit: number;
}

/** A page of a list, by the number of its first row. */
export interface PageAt {
  readonly limit: number;
  readonly offset: number;
}

/** A handler of a query that reads the tables of its context, and other contexts by their queries. */
@Injectable()
export abstract class ReadHandler<Tables, Asked extends Query<unknown>> {
  constructor(
    @Inject(DATABASE) protected readonly db: Kysely<Tables>,
    protected readonly clock: Clock,
    protected readonly queries: QueryBus,
  ) {}

  abstract execute(query: Asked): Promise<Asked extends Query<infer Result> ? Result : never>;
}
