import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type BankReport } from '../../contract/payouts.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { DomainError } from '../../platform/domain-error.js';
import { wireFields } from '../../platform/wire-fields.js';
import { referenceOf } from '../runs/payout-ids.js';
import { type BankReportLineTable, type BankReportTable } from '../runs/run-tables.js';
import { type FinanceTables } from '../tables.js';
import { nameIn, namesOf } from './people.js';

/**
 * The outcome of a file of the bank.
 * @param input `after`: the refused lines after this one
 * @throws DomainError notFound
 */
export class GetBankReport extends QueryOf<
  { readonly reportId: string; readonly limit: number; readonly after: number },
  BankReport
> {}

@QueryHandler(GetBankReport)
export class GetBankReportHandler extends ReadHandler<FinanceTables, GetBankReport> {
  async execute({ input: { reportId, limit, after } }: GetBankReport): Promise<BankReport> {
    const { rows: reports } = await sql<BankReportTable & Pick<BankReport, 'lines' | 'recorded' | 'refused'>>`
      select r.*, counted.*
      from bank_report r
      cross join lateral (
        select count(*)::int as lines, count(*) filter (where outcome = 'recorded')::int as recorded,
          count(*) filter (where outcome = 'refused')::int as refused
        from bank_report_line l where l.report_id = r.id
      ) as counted
      where r.id = ${reportId}`.execute(this.db);
    const report = reports[0];
    if (!report) throw new DomainError('notFound', 'There is no such file of the bank.');
    const { rows: found } = await sql<BankReportLineTable>`
      select * from bank_report_line
      where report_id = ${reportId} and outcome = 'refused' and line > ${after}
      order by line limit ${limit + 1}`.execute(this.db);
    const page = found.slice(0, limit);
    const names = await namesOf(this.db, [report.recorded_by]);
    return {
      recorded_by_name: nameIn(names, report.recorded_by),
      report_id: reportId,
      ...wireFields(report, ['recorded_by', 'recorded_at', 'done', 'lines', 'recorded', 'refused']),
      refusals: page.map((line) => ({
        line: line.line,
        reference: referenceOf(line.payout_id),
        ...wireFields(line, ['amount_cents', 'bank_reference', 'paid_on']),
        problem: line.problem ?? '',
      })),
      next: found.length > limit ? (page.at(-1)?.line ?? null) : null,
    };
  }
}
