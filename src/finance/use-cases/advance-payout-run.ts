import { CommandHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type ActKind } from '../../contract/acts.js';
import { type Actor } from '../../platform/acts/actor.js';
import { CommandOf } from '../../platform/messages.js';
import { DomainError } from '../../platform/domain-error.js';
import { noSuchRun } from '../reads/payout-runs.js';
import { type PayoutRunTable, type RunTask } from '../runs/run-tables.js';
import { PayoutCommand, refused } from './payout-command.js';

type NextStep = Exclude<RunTask, 'draft'>;

/** The steps before which each one is possible. */
const BEFORE: Readonly<Record<NextStep, readonly RunTask[]>> = {
  fix: ['draft'],
  check: ['fix'],
  cancel: ['draft', 'fix', 'check'],
};

const NAMES = {
  fix: { kind: 'payout.fixed', by: 'fixed_by', at: 'fixed_at', act: 'fix_act', done: 'fixed' },
  check: { kind: 'payout.checked', by: 'checked_by', at: 'checked_at', act: 'check_act', done: 'checked' },
  cancel: {
    kind: 'payout.run_cancelled',
    by: 'cancelled_by',
    at: 'cancelled_at',
    act: 'cancel_act',
    done: 'cancelled',
  },
} as const satisfies Record<NextStep, { kind: ActKind; by: string; at: string; act: string; done: string }>;

/**
 * Fixes the amounts of a run, checks it as the second person, or cancels what is not paid yet. The worker carries it
 * out. The same step again changes nothing.
 * @throws DomainError notFound; forbidden for a check by the person who drafted the run; conflict while the step before
 *   is missing or still carried out, and for the cancellation of a run with a file for the bank
 */
export class AdvancePayoutRun extends CommandOf<
  {
    readonly runId: string;
    readonly step: NextStep;
    readonly by: Actor;
    /** Why the run is cancelled; null for other steps. */
    readonly reason: string | null;
  },
  PayoutRunTable
> {}

@CommandHandler(AdvancePayoutRun)
export class AdvancePayoutRunHandler extends PayoutCommand<AdvancePayoutRun> {
  async execute({ input: { runId, step, by, reason } }: AdvancePayoutRun): Promise<PayoutRunTable> {
    const { kind, done, ...columns } = NAMES[step];
    const run = await this.db.transaction().execute(async (transaction) => {
      const { rows } = await sql<PayoutRunTable>`
        select * from payout_run where id = ${runId}::uuid for update`.execute(transaction);
      const found = rows[0];
      if (!found) throw noSuchRun();
      if (found[columns.at] !== null) return found;
      if (found.working || !BEFORE[step].includes(found.step)) throw notYet(found, done);
      if (step === 'cancel' && found.files > 0) {
        throw refused('A file of this run was made for the bank. Record each payout as paid or failed.');
      }
      if (step === 'check' && found.drafted_by === by.userId) {
        const message = 'Another person than the one who drafted the run checks it.';
        throw new DomainError('forbidden', message, { code: '42501' });
      }
      const act = this.ids.next();
      const changed = await sql<PayoutRunTable>`
        update payout_run set step = ${step}, working = true, done_until = '', cancel_reason = ${reason},
          ${sql.ref(columns.by)} = ${by.userId}, ${sql.ref(columns.at)} = ${this.clock.now()},
          ${sql.ref(columns.act)} = ${act}::uuid
        where id = ${runId}::uuid returning *`.execute(transaction);
      const subject = { kind: 'payout_run', id: runId } as const;
      const before = { step: found.step };
      const after = { number: found.number, step };
      await this.acts.record(transaction, { kind, actor: by, subject, before, after, reason }, act);
      return changed.rows[0] ?? found;
    });
    this.runner.wake();
    return run;
  }
}

function notYet({ step, working }: PayoutRunTable, done: string): DomainError {
  const message = working
    ? 'The run is still being worked on. Please try again in a moment.'
    : `This run cannot be ${done} now: its last step was ${step}.`;
  return refused(message);
}
