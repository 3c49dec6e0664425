import { CommandHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { OpenPayoutDetails } from '../../creators/index.js';
import { type Actor } from '../../platform/acts/actor.js';
import { bankLine } from '../../platform/csv.js';
import { inPages } from '../../platform/database/in-pages.js';
import { CommandOf } from '../../platform/messages.js';
import { DomainError } from '../../platform/domain-error.js';
import { leftOut } from '../reads/payout-run-creators.js';
import { noSuchRun } from '../reads/payout-runs.js';
import { referenceOf } from '../runs/payout-ids.js';
import { PayoutCommand, refused, reported } from './payout-command.js';

/** Payouts that are read together. */
const PAYOUTS_PER_READ = 200;

/**
 * A file of a run for the bank as CSV, with payout details in full. Payouts that have ended or are in a report of the
 * bank, and those whose details changed within 7 days, are left out. The download is an act; the log has counts and
 * sums only.
 * @throws DomainError notFound; conflict for a file that was taken back; unavailable, also without the key
 */
export class DownloadPayoutFile extends CommandOf<
  { readonly runId: string; readonly file: number; readonly by: Actor },
  string
> {}

interface Line {
  readonly creator_id: string;
  readonly payout_id: string;
  readonly amount_cents: number;
}

@CommandHandler(DownloadPayoutFile)
export class DownloadPayoutFileHandler extends PayoutCommand<DownloadPayoutFile> {
  async execute({ input: { runId, file, by } }: DownloadPayoutFile): Promise<string> {
    const run = await this.runOf(runId, file);
    await this.untilPayoutsAreRead();
    const { csv, ...sums } = await this.write(run.id, file);
    // The act is stored before anyone gets the details.
    await this.db.transaction().execute((transaction) =>
      this.acts.record(transaction, {
        ...({ kind: 'payout.file_downloaded', actor: by, subject: { kind: 'payout_run', id: run.id } } as const),
        after: { number: run.number, file, ...sums },
      }),
    );
    return csv;
  }

  /** The run, when its file can go to the bank. */
  private async runOf(runId: string, file: number): Promise<{ readonly id: string; readonly number: number }> {
    const { rows } = await sql<{ id: string; number: number; files: number; taken_back_at: Date | null }>`
      select r.id, r.number, r.files, f.taken_back_at
      from payout_run r left join payout_file f on f.run_id = r.id and f.file = ${file}
      where r.id = ${runId}::uuid`.execute(this.db);
    const run = rows[0];
    if (!run) throw noSuchRun();
    if (file > run.files) throw new DomainError('notFound', 'This run has no such file.');
    if (run.taken_back_at === null) return run;
    throw refused(`File ${file} was taken back, so it must not go to the bank. A later file has its payouts.`);
  }

  private async write(runId: string, file: number): Promise<{ csv: string; payouts: number; amount_cents: number }> {
    let csv = bankLine(['reference', 'amount', 'currency', 'legal_name', 'country', 'account']);
    let payouts = 0;
    let amount_cents = 0;
    const pages = inPages<Line>(PAYOUTS_PER_READ, (last) => this.read(runId, file, last?.creator_id ?? ''));
    for await (const page of pages) {
      const creatorIds = page.map(({ creator_id: creatorId }) => creatorId);
      const details = await this.queries.execute(new OpenPayoutDetails(creatorIds));
      const now = this.clock.now();
      for (const { creator_id: creatorId, payout_id: payoutId, amount_cents: cents } of page) {
        const payee = details.get(creatorId);
        if (!payee || leftOut(payee, now) !== null) continue;
        const { legal_name: name, country, account } = payee.fields;
        csv += bankLine([referenceOf(payoutId), (cents / 100).toFixed(2), 'USD', name, country, account]);
        payouts += 1;
        amount_cents += cents;
      }
    }
    return { csv, payouts, amount_cents };
  }

  private async read(runId: string, file: number, after: string): Promise<readonly Line[]> {
    const { rows } = await sql<Line>`
      select c.creator_id, c.payout_id, p.amount_cents
      from payout_run_creator c join payout p on p.payout_id = c.payout_id
      where c.run_id = ${runId}::uuid and c.file = ${file} and c.file > 0 and c.creator_id > ${after} and p.step = 'checked'
        and not ${reported(sql`p.payout_id`)}
      order by c.creator_id limit ${PAYOUTS_PER_READ}`.execute(this.db);
    return rows;
  }
}
