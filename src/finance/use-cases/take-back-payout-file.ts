import { CommandHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { CommandOf } from '../../platform/messages.js';
import { DomainError } from '../../platform/domain-error.js';
import { noSuchRun } from '../reads/payout-runs.js';
import { type PayoutFileTable } from '../runs/run-tables.js';
import { type Reasoned } from './change-payout.js';
import { PayoutCommand, refused, reported } from './payout-command.js';

/**
 * Takes back a file that was never sent to the bank. Its payouts are checked and in no file, so a later file has them.
 * Its number is not used again. Repeating it changes nothing.
 *
 * That the file was not sent rests on the word of the person. If the bank pays after all, the transfer is recorded
 * as usual, and no later file has the payout from the moment at which the report was taken.
 * @throws DomainError notFound; conflict once a payout of the file was paid, has failed, is being ended, or is in a
 *   report of the bank; unavailable
 */
export class TakeBackPayoutFile extends CommandOf<Reasoned & { readonly runId: string; readonly file: number }, void> {}

@CommandHandler(TakeBackPayoutFile)
export class TakeBackPayoutFileHandler extends PayoutCommand<TakeBackPayoutFile> {
  async execute({ input: { runId, file, reason, by } }: TakeBackPayoutFile): Promise<void> {
    const { number, payouts, amount_cents } = await this.find(runId, file);
    await this.untilPayoutsAreRead();
    await this.db.transaction().execute(async (transaction) => {
      // The rows stay locked, so no one can begin to end one of these payouts meanwhile.
      const { rows } = await sql<{ taken_back: boolean; sent: number }>`
        with this_file as (
          select taken_back_at from payout_file where run_id = ${runId}::uuid and file = ${file} for update
        ), mine as (
          select payout_id, ending from payout_run_creator
          where run_id = ${runId}::uuid and file = ${file} and file > 0 for update
        )
        select (select taken_back_at is not null from this_file) as taken_back, count(p.payout_id)::int as sent
        from mine join payout p on p.payout_id = mine.payout_id
        where mine.ending or p.step <> 'checked' or ${reported(sql`p.payout_id`)}`.execute(transaction);
      if (rows[0]?.taken_back !== false) return;
      if (rows[0].sent > 0) {
        throw refused(
          'The bank has this file: a payout of it was paid or has failed. Record the others as paid or failed.',
        );
      }
      await sql`
        with left_out as (
          update payout_run_creator set file = null, taken_back_file = ${file}
          where run_id = ${runId}::uuid and file = ${file} and file > 0
        )
        update payout_file set taken_back_by = ${by.userId}, taken_back_at = ${this.clock.now()},
          taken_back_reason = ${reason}
        where run_id = ${runId}::uuid and file = ${file}`.execute(transaction);
      await this.acts.record(transaction, {
        ...({ kind: 'payout.file_taken_back', actor: by, subject: { kind: 'payout_run', id: runId } } as const),
        after: { number, file, payouts, amount_cents },
        reason,
      });
    });
  }

  private async find(
    runId: string,
    file: number,
  ): Promise<Pick<PayoutFileTable, 'payouts' | 'amount_cents'> & { readonly number: number }> {
    const { rows } = await sql<{ number: number; payouts: number | null; amount_cents: number | null }>`
      select r.number, f.payouts, f.amount_cents
      from payout_run r left join payout_file f on f.run_id = r.id and f.file = ${file}
      where r.id = ${runId}::uuid`.execute(this.db);
    if (!rows[0]) throw noSuchRun();
    const { number, payouts, amount_cents } = rows[0];
    if (payouts === null || amount_cents === null) throw new DomainError('notFound', 'This run has no such file.');
    return { number, payouts, amount_cents };
  }
}
