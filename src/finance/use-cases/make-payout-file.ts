import { CommandHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type PayoutFile } from '../../contract/payouts.js';
import { GetPayoutDetailsDates } from '../../creators/index.js';
import { type Actor } from '../../platform/acts/actor.js';
import { CommandOf } from '../../platform/messages.js';
import { leftOut } from '../reads/payout-run-creators.js';
import { noSuchRun } from '../reads/payout-runs.js';
import { type PayoutRunTable } from '../runs/run-tables.js';
import { PayoutCommand, refused, reported } from './payout-command.js';

/**
 * Puts the checked payouts of a run that can be sent now into a file for the bank. A payout is in one file
 * that was not taken back, so two files cannot make the bank pay it twice. A payout that a report of the bank has is
 * left out. The same number again changes nothing.
 * @throws DomainError notFound; conflict for a run that is not checked, a number that is not the next one or was taken
 *   back, and when no payout can be sent; unavailable
 */
export class MakePayoutFile extends CommandOf<
  { readonly runId: string; readonly file: number; readonly by: Actor },
  PayoutFile
> {}

interface Sendable {
  readonly creator_id: string;
  readonly amount_cents: number;
}

interface RunToSend extends PayoutRunTable {
  readonly checked: readonly Sendable[];
}

@CommandHandler(MakePayoutFile)
export class MakePayoutFileHandler extends PayoutCommand<MakePayoutFile> {
  async execute({ input: { runId, file, by } }: MakePayoutFile): Promise<PayoutFile> {
    await this.untilPayoutsAreRead();
    const run = await this.read(runId);
    if (!run) throw noSuchRun();
    if (file <= run.files) return this.made(run, file);
    if (file !== run.files + 1) throw refused(`The next file of this run has the number ${run.files + 1}.`);
    if (run.step !== 'check' || run.working) throw refused('A file has the payouts of a run that was checked.');
    const payouts = await this.sendable(run.checked);
    if (payouts.length === 0) throw refused('This run has no payout that can be sent now.');
    return this.make(run, file, payouts, by);
  }

  /** The run with its checked payouts that no file has. */
  private async read(runId: string): Promise<RunToSend | undefined> {
    const { rows } = await sql<RunToSend>`
      select r.*, (
        select coalesce(json_agg(json_build_object('creator_id', p.creator_id, 'amount_cents', p.amount_cents)), '[]')
        from payout p join payout_run_creator c on c.run_id = ${runId}::uuid and c.creator_id = p.creator_id
        where p.run_id = ${runId}::uuid::text and p.step = 'checked' and c.file is null
          and not ${reported(sql`p.payout_id`)}
      ) as checked
      from payout_run r where r.id = ${runId}::uuid`.execute(this.db);
    return rows[0];
  }

  /** Without the payouts that a file leaves out now. */
  private async sendable(checked: readonly Sendable[]): Promise<readonly Sendable[]> {
    const creatorIds = checked.map(({ creator_id: creatorId }) => creatorId);
    const details = await this.queries.execute(new GetPayoutDetailsDates(creatorIds));
    const now = this.clock.now();
    return checked.filter(({ creator_id: creatorId }) => leftOut(details.get(creatorId), now) === null);
  }

  /** Claims the number and the payouts in one statement. A payout whose end was asked for meanwhile is left out. */
  private async make(
    { id, number }: PayoutRunTable,
    file: number,
    payouts: readonly Sendable[],
    by: Actor,
  ): Promise<PayoutFile> {
    const creatorIds = payouts.map(({ creator_id: creatorId }) => creatorId);
    const cents = payouts.map(({ amount_cents: each }) => each);
    return this.db.transaction().execute(async (transaction) => {
      const { rows } = await sql<Pick<PayoutFile, 'payouts' | 'amount_cents'>>`
        with run as (
          update payout_run set files = ${file}
          where id = ${id}::uuid and files = ${file - 1} and step = 'check' and not working returning id
        ), taken as (
          update payout_run_creator c set file = ${file} from run
          where c.run_id = run.id and c.creator_id = any(${creatorIds}::text[]) and c.file is null
            and not ${reported(sql`c.payout_id`)}
          returning c.creator_id
        )
        insert into payout_file (run_id, file, made_by, made_at, payouts, amount_cents)
        select ${id}::uuid, ${file}, ${by.userId}, ${this.clock.now()}, count(*), sum(sent.cents)
        from taken join unnest(${creatorIds}::text[], ${cents}::bigint[]) as sent (creator_id, cents)
          on sent.creator_id = taken.creator_id
        having count(*) > 0
        returning payouts, amount_cents`.execute(transaction);
      const made = rows[0];
      if (!made) throw refused('The run was changed at the same time. Please look at it again.');
      await this.acts.record(transaction, {
        ...({ kind: 'payout.file_made', actor: by, subject: { kind: 'payout_run', id } } as const),
        after: { number, file, ...made },
      });
      return { run_id: id, file, ...made };
    });
  }

  /** A file that was made before. */
  private async made({ id, files }: PayoutRunTable, file: number): Promise<PayoutFile> {
    const { payouts, amount_cents, taken_back_at } = await this.db
      .selectFrom('payout_file')
      .select(['payouts', 'amount_cents', 'taken_back_at'])
      .where('run_id', '=', id)
      .where('file', '=', file)
      .executeTakeFirstOrThrow();
    if (taken_back_at === null) return { run_id: id, file, payouts, amount_cents };
    throw refused(`File ${file} was taken back. The next file of this run has the number ${files + 1}.`);
  }
}
