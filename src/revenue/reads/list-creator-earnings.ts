import { QueryHandler } from '@nestjs/cqrs';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type RevenueTables } from '../tables.js';
import { type EarningItem, readItems } from './creator-earnings.js';
import { readMonthFigures } from './get-creator-analytics.js';

/** A page of a creator's earnings, the latest first. */
export interface EarningsPage {
  readonly items: readonly EarningItem[];
  /** Of all pages. */
  readonly count: number;
}

/** The earnings of a creator one by one, of a month (YYYY-MM) or all. */
export class ListCreatorEarnings extends QueryOf<
  {
    readonly creatorId: string;
    readonly month: string | null;
    readonly limit: number;
    readonly offset: number;
  },
  EarningsPage
> {}

@QueryHandler(ListCreatorEarnings)
export class ListCreatorEarningsHandler extends ReadHandler<RevenueTables, ListCreatorEarnings> {
  async execute({ input }: ListCreatorEarnings): Promise<EarningsPage> {
    const found = await readItems(this.db, { ...input, order: 'latest first' });
    const months = await readMonthFigures(this.db, input.creatorId, input.month);
    const count = months.reduce((sum, row) => sum + row.paidGenerations + row.freeGenerations + row.changes, 0);
    return { items: found.map(({ item }) => item), count };
  }
}
