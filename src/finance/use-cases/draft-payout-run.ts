import { CommandHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type Actor } from '../../platform/acts/actor.js';
import { CommandOf } from '../../platform/messages.js';
import { DomainError } from '../../platform/domain-error.js';
import { FIRST } from '../reads/balances.js';
import { startOf } from '../reads/book-sums.js';
import { type PayoutRunTable } from '../runs/run-tables.js';
import { SETTLED_AFTER_MS } from '../settled.js';
import { PayoutCommand } from './payout-command.js';

/**
 * Begins a payout run. The worker drafts the payouts. The same id again changes nothing.
 * @throws DomainError invalid for a cutoff that is no midnight (UTC), lies before the first entry, in the future, or
 *   less than 15 minutes back; conflict for an id that was used with another cutoff
 */
export class DraftPayoutRun extends CommandOf<
  {
    readonly runId: string;
    /** Null: the latest one that is possible. */
    readonly cutoff: Date | null;
    readonly by: Actor;
  },
  PayoutRunTable
> {}

@CommandHandler(DraftPayoutRun)
export class DraftPayoutRunHandler extends PayoutCommand<DraftPayoutRun> {
  async execute({ input: { runId, cutoff: wanted, by } }: DraftPayoutRun): Promise<PayoutRunTable> {
    const { known, beginsAt } = await this.find(runId);
    const latest = startOf('day', new Date(this.clock.now().getTime() - SETTLED_AFTER_MS));
    const cutoff = wanted ?? known?.cutoff ?? latest;
    if (!known) check(cutoff, latest, beginsAt);
    const run = known ?? (await this.store(runId, cutoff, by));
    if (run.cutoff.getTime() !== cutoff.getTime()) {
      throw new DomainError('conflict', 'This id was used for a run with another cutoff.');
    }
    this.runner.wake();
    return run;
  }

  /** The run with this id, and the time of the first entry of the books. */
  private async find(id: string): Promise<{ known: PayoutRunTable | null; beginsAt: Date | null }> {
    const { rows } = await sql<Omit<PayoutRunTable, 'id'> & { id: string | null; begins_at: Date | null }>`
      select r.*, (${FIRST}) as begins_at
      from (values (true)) as always (one) left join payout_run r on r.id = ${id}::uuid`.execute(this.db);
    const { id: knownId = null, begins_at: beginsAt = null, ...run } = rows[0] ?? {};
    return { known: knownId === null ? null : ({ ...run, id: knownId } as PayoutRunTable), beginsAt };
  }

  private async store(id: string, cutoff: Date, by: Actor): Promise<PayoutRunTable> {
    const { payoutMinimumCents: minimumCents } = this.config;
    const act = this.ids.next();
    const draftedBy = by.role === 'system' ? null : by.userId;
    return this.db.transaction().execute(async (transaction) => {
      // Numbers have no gaps: one run at a time gets the next one.
      await sql`select pg_advisory_xact_lock(hashtextextended('payout_run', 0))`.execute(transaction);
      const { rows } = await sql<PayoutRunTable>`
        insert into payout_run (id, number, cutoff, minimum_cents, step, working, drafted_by, drafted_at, draft_act)
        select ${id}::uuid, coalesce(max(number), 0) + 1, ${cutoff}, ${minimumCents}, 'draft', true, ${draftedBy},
          ${this.clock.now()}, ${act}::uuid
        from payout_run on conflict (id) do nothing returning *`.execute(transaction);
      const run = rows[0];
      if (!run) return transaction.selectFrom('payout_run').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const after = { number: run.number, cutoff: cutoff.toISOString(), minimum_cents: minimumCents };
      await this.acts.record(
        transaction,
        { kind: 'payout.drafted', actor: by, subject: { kind: 'payout_run', id }, after },
        act,
      );
      return run;
    });
  }
}

/** @throws DomainError invalid */
function check(cutoff: Date, latest: Date, beginsAt: Date | null): void {
  if (startOf('day', cutoff).getTime() !== cutoff.getTime()) {
    throw new DomainError('invalid', 'The cutoff must be the first instant of a day in UTC.');
  }
  if (cutoff > latest) throw new DomainError('invalid', 'The cutoff must lie at least 15 minutes back.');
  if (beginsAt === null || cutoff < startOf('day', beginsAt)) {
    throw new DomainError('invalid', 'The cutoff lies before the first entry of the books.');
  }
}
