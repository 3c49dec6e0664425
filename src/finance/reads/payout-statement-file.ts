import { createHash } from 'node:crypto';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { csvLine, dollars } from '../../platform/csv.js';
import { inPages } from '../../platform/database/in-pages.js';
import { QueryOf } from '../../platform/messages.js';
import { openingCents } from '../payouts/statement.js';
import { referenceOf } from '../runs/payout-ids.js';
import { type BookEntryTable } from '../tables.js';
import { fixedSum, fromOf, inPeriod, KIND, type PayoutRow, StatementReads, sumsOf } from './payout-statement-rows.js';

/** Lines read at once. */
const LINES_PER_READ = 1000;

/**
 * The statement with its lines as CSV, in parts that are read one after the other. Refuses like the query, except that
 * it ends early when the books do not have what was fixed.
 */
export class ExportPayoutStatement extends QueryOf<
  { readonly payoutId: string; readonly userId: string },
  AsyncIterable<string>
> {}

@QueryHandler(ExportPayoutStatement)
export class ExportPayoutStatementHandler extends StatementReads implements IQueryHandler<ExportPayoutStatement> {
  async execute({ input: { payoutId, userId } }: ExportPayoutStatement): Promise<AsyncIterable<string>> {
    const { row, creator } = await this.payout(payoutId, userId);
    return this.parts(row, creator?.name ?? null);
  }

  /** Ends early when the lines do not give the amount that was fixed. */
  private async *parts(row: PayoutRow, creatorName: string | null): AsyncGenerator<string> {
    const number = referenceOf(row.payout_id);
    const line = (kind: string, values: readonly (string | null)[], cents: number): string =>
      csvLine([number, row.creator_id, creatorName, kind, ...values, dollars(cents)]);
    yield csvLine([
      ...['statement', 'creator_id', 'creator', 'kind', 'id', 'image_id', 'occurred_at', 'payable_at', 'amount_usd'],
    ]);
    const before = row.previous && referenceOf(row.previous.payout_id);
    const from = fromOf(row)?.toISOString() ?? null;
    yield line('opening', [before, null, null, from], openingCents(fixedSum(row.previous)));
    const none = { count: 0, cents: 0 };
    let change = 0;
    for await (const page of inPages<StatementLine>(LINES_PER_READ, (after) => this.read(row, after))) {
      yield page
        .map((each) => {
          const times = [each.occurred_at.toISOString(), each.payable_at.toISOString()];
          return line(each.kind, [lineId(each), each.deduction_id, ...times], -each.cents);
        })
        .join('');
      change -= page.reduce((sum, { cents }) => sum + cents, 0);
    }
    const sums = sumsOf(row, { earnings: { count: 0, cents: change }, corrections: none, restorations: none });
    yield line('paid', [null, null, null, null], 0 - sums.paid_cents);
    yield line('amount', [number, null, null, row.cutoff.toISOString()], sums.amount_cents);
  }

  /** The next lines of the period, by the time when they became payable. */
  private async read(row: PayoutRow, after: StatementLine | null): Promise<readonly StatementLine[]> {
    const cursor = after
      ? // The first condition is for the index.
        sql`payable_at >= ${after.payable_at} and (payable_at, user_id, version, line)
          > (${after.payable_at}, ${after.user_id}, ${after.version}::integer, ${after.line}::integer)`
      : sql`true`;
    const { rows } = await sql<StatementLine>`
      select user_id, version, line, deduction_id, cents, occurred_at, payable_at, ${KIND} as kind
      from book_entry where ${inPeriod(row)} and ${cursor}
      order by payable_at, user_id, version, line limit ${LINES_PER_READ}`.execute(this.db);
    return rows;
  }
}

type StatementLine = Pick<BookEntryTable, 'user_id' | 'version' | 'line' | 'cents' | 'occurred_at'> & {
  readonly deduction_id: string;
  readonly payable_at: Date;
  readonly kind: 'earning' | 'correction' | 'restoration';
};

/** A hash without the fan: a line's id says nothing about who paid it. An image has one fan. */
function lineId({ deduction_id: imageId, version, line }: StatementLine): string {
  const text = JSON.stringify([imageId, version, line]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
