import { QueryHandler } from '@nestjs/cqrs';
import { inPages } from '../../platform/database/in-pages.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { CSV_HEADER, csvLine } from '../earnings-csv.js';
import { type RevenueTables } from '../tables.js';
import { type EarningItem, type ItemCursor, readItems } from './creator-earnings.js';
import { readMonthFigures } from './get-creator-analytics.js';

/** Items read at once. */
const ITEMS_PER_READ = 1000;

/** A page of a creator's earnings, the latest first. */
export interface EarningsPage {
  readonly items: readonly EarningItem[];
  /** Of all pages. */
  readonly count: number;
}

/** The earnings of a creator one by one, of a month (YYYY-MM) or all. */
export class ListCreatorEarnings extends QueryOf<
  PageAt & { readonly creatorId: string; readonly month: string | null },
  EarningsPage
> {}

@QueryHandler(ListCreatorEarnings)
export class ListCreatorEarningsHandler extends ReadHandler<RevenueTables, ListCreatorEarnings> {
  async execute({ input }: ListCreatorEarnings): Promise<EarningsPage> {
    const found = await readItems(this.db, { ...input, order: 'latest first' });
    const months = await readMonthFigures(this.db, input.creatorId, input.month);
    const count = months.reduce((sum, row) => sum + row.paid_generations + row.free_generations + row.changes, 0);
    return { items: found.map(({ item }) => item), count };
  }
}

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
    const pages = inPages<{ readonly item: EarningItem; readonly cursor: ItemCursor }>(ITEMS_PER_READ, (last, limit) =>
      readItems(this.db, { ...input, order: 'oldest first', after: last?.cursor ?? null, limit }),
    );
    for await (const found of pages) yield found.map(({ item }) => csvLine(item)).join('');
  }
}
