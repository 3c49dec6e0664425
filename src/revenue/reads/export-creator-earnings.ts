import { QueryHandler } from '@nestjs/cqrs';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { CSV_HEADER, csvLine } from '../earnings-csv.js';
import { type RevenueTables } from '../tables.js';
import { type ItemPlace, readItems } from './creator-earnings.js';

/** Items read at once. */
const PAGE = 1000;

/**
 * The earnings of a creator as CSV (README.md has the columns), the oldest first, in parts that are read from the
 * database one after the other. @param month YYYY-MM; null: all
 */
export class ExportCreatorEarnings extends QueryOf<
  { readonly creatorId: string; readonly month: string | null },
  AsyncIterable<string>
> {}

@QueryHandler(ExportCreatorEarnings)
export class ExportCreatorEarningsHandler extends ReadHandler<RevenueTables, ExportCreatorEarnings> {
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
