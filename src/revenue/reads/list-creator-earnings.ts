import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type RevenueTables } from '../tables.js';
import { type EarningItem, readItems } from './creator-earnings.js';
import { monthFigures } from './get-creator-analytics.js';
import { type MonthFigures } from '../creator-months.js';

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
    const { rows } = await sql<MonthFigures>`${monthFigures(input.creatorId, input.month)}`.execute(this.db);
    const count = rows.reduce((sum, row) => sum + row.paidGenerations + row.freeGenerations + row.changes, 0);
    return { items: found.map(({ item }) => item), count };
  }
}
