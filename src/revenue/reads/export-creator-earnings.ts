import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { CSV_HEADER, csvLine } from '../earnings-csv.js';
import { type RevenueTables } from '../tables.js';
import { type ItemPlace, readItems } from './creator-earnings.js';

/** Items read at once. */
const PAGE = 1000;

/**
 * The earnings of a creator as CSV (README.md has the columns), the oldest first, in parts that are read from the
 * database one after the other. @param month YYYY-MM; null: all
 */
export class ExportCreatorEarnings extends Query<AsyncIterable<string>> {
  constructor(readonly input: { readonly creatorId: string; readonly month: string | null }) {
    super();
  }
}

@QueryHandler(ExportCreatorEarnings)
export class ExportCreatorEarningsHandler implements IQueryHandler<ExportCreatorEarnings> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<RevenueTables>) {}

  execute({ input }: ExportCreatorEarnings): Promise<AsyncIterable<string>> {
    return Promise.resolve(this.parts(input));
  }

  private async *parts(input: ExportCreatorEarnings['input']): AsyncGenerator<string> {
    yield CSV_HEADER;
    let after: ItemPlace | null = null;
    for (;;) {
      const found = await readItems(this.db, { ...input, order: 'oldest first', after, limit: PAGE });
      yield found.map(({ item }) => csvLine(item)).join('');
      after = found.at(-1)?.place ?? null;
      if (found.length < PAGE) return;
    }
  }
}
