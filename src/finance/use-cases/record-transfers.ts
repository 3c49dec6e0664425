import { createHash } from 'node:crypto';
import { CommandHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type Actor } from '../../platform/acts/actor.js';
import { rowsAs } from '../../platform/database/bulk-rows.js';
import { CommandOf } from '../../platform/messages.js';
import { newSalt, sealRow } from '../../platform/acts/sealed-rows.js';
import { parseBankFile } from '../runs/bank-file.js';
import { SEALED_BANK_REPORT } from '../runs/run-tables.js';
import { PayoutCommand } from './payout-command.js';

/**
 * Records the transfers of a bank's file as paid, by their references. The worker records line after line; each line
 * has an outcome of its own. The same file again changes nothing.
 * @throws DomainError invalid for a file with a wrong line
 */
export class RecordTransfers extends CommandOf<
  { readonly file: string; readonly by: Actor },
  { readonly reportId: string; readonly lines: number }
> {}

@CommandHandler(RecordTransfers)
export class RecordTransfersHandler extends PayoutCommand<RecordTransfers> {
  async execute({
    input: { file, by },
  }: RecordTransfers): Promise<{ readonly reportId: string; readonly lines: number }> {
    const now = this.clock.now();
    const transfers = parseBankFile(file, now.toISOString().slice(0, 10));
    const reportId = createHash('sha256').update(file).digest('hex');
    const act = this.ids.next();
    const salt = newSalt();
    await this.db.transaction().execute(async (transaction) => {
      const { rows } = await sql`
        insert into bank_report (id, act_id, recorded_by, recorded_at, done, salt)
        values (${reportId}, ${act}::uuid, ${by.userId}, ${now}, false, ${salt}) on conflict do nothing returning id`.execute(
        transaction,
      );
      if (rows.length === 0) return;
      const lines = transfers.map(({ line, payoutId, amountCents, bankReference, paidOn }) => {
        return { line, payout_id: payoutId, amount_cents: amountCents, bank_reference: bankReference, paid_on: paidOn };
      });
      const types = { line: 'integer', payout_id: 'text', amount_cents: 'bigint' } as const;
      const texts = { bank_reference: 'text', paid_on: 'text' } as const;
      await sql`
        insert into bank_report_line (report_id, line, payout_id, amount_cents, bank_reference, paid_on, creator_id)
        select ${reportId}, l.*, p.creator_id
        from (${rowsAs(lines, { ...types, ...texts })}) as l (line, payout_id, amount_cents, bank_reference, paid_on)
        left join payout p on p.payout_id = l.payout_id`.execute(transaction);
      const report = {
        id: reportId,
        recorded_by: by.userId,
        recorded_at: now,
        lines: lines.map((each) => [each.line, each.payout_id, each.amount_cents, each.bank_reference, each.paid_on]),
      };
      const cents = transfers.reduce((sum, { amountCents }) => sum + amountCents, 0);
      await this.acts.record(
        transaction,
        {
          kind: 'payout.recorded',
          actor: by,
          subject: { kind: 'bank_report', id: reportId },
          after: { transfers: transfers.length, amount_cents: cents },
          rows: sealRow(SEALED_BANK_REPORT, report, salt),
        },
        act,
      );
    });
    this.runner.wake();
    return { reportId, lines: transfers.length };
  }
}
