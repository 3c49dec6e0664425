import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type GenerationTables } from '../tables.js';
import { nextUtcDay, utcDay } from '../trials/test-allowance.js';

export interface TestAllowance {
  /** Tests that count towards this UTC day, a pending one included. */
  readonly usedToday: number;
  readonly resetsAt: Date;
}

/** How many tests a user has started today. Zero for users who are no creators. */
export class GetTestAllowance extends QueryOf<{ readonly userId: string }, TestAllowance> {}

@QueryHandler(GetTestAllowance)
export class GetTestAllowanceHandler extends ReadHandler<GenerationTables, GetTestAllowance> {
  async execute({ input: { userId } }: GetTestAllowance): Promise<TestAllowance> {
    const now = this.clock.now();
    const { used } = await this.db
      .selectFrom('generation')
      .select((select) => select.fn.countAll<number>().as('used'))
      .where('user_id', '=', userId)
      .where(sql<boolean>`test_day = ${utcDay(now)}::date`)
      .where('test_slot', 'is not', null)
      .executeTakeFirstOrThrow();
    return { usedToday: used, resetsAt: nextUtcDay(now) };
  }
}
