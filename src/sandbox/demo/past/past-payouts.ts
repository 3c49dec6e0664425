import { type INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { MINUTE_MS } from '../../../contract/durations.js';
import {
  AdvancePayoutRun,
  booksProjection,
  DownloadPayoutFile,
  DraftPayoutRun,
  EarningPoster,
  EndPayout,
  ListPayoutRunCreators,
  MakePayoutFile,
  PayoutRunner,
  RecordTransfers,
} from '../../../finance/index.js';
import { GetUser } from '../../../identity/index.js';
import { actIdOf } from '../../../platform/acts/acts.js';
import { ProjectionRunner } from '../../../platform/projections/projection-runner.js';
import { type ClerkSandbox } from '../../clerk/index.js';
import { type Actor } from '../../../platform/acts/actor.js';
import { demoActor } from '../demo-accounts.js';
import { type PastClock } from './past-clock.js';
import { type PayoutStep } from './past-plan.js';

/** The run in which the bank refuses a transfer. */
const REFUSED_RUN = 1;
/** More creators than the demo has. */
const MAX_CREATORS = 200;

/** The payouts of the past. Each step can be repeated: the run and its file have known numbers. */
export class PastPayouts {
  private readonly commands: CommandBus;
  private readonly queries: QueryBus;
  private readonly runner: PayoutRunner;
  private readonly earnings: EarningPoster;
  private readonly projections: ProjectionRunner;

  constructor(
    context: INestApplicationContext,
    private readonly clerk: ClerkSandbox,
    private readonly clock: PastClock,
  ) {
    this.commands = context.get(CommandBus);
    this.queries = context.get(QueryBus);
    this.runner = context.get(PayoutRunner, { strict: false });
    this.earnings = context.get(EarningPoster, { strict: false });
    this.projections = context.get(ProjectionRunner);
  }

  /** Drafts and fixes a run, checks it and makes its file for the bank, or records what the bank reports. */
  async perform({ run, stage }: PayoutStep): Promise<void> {
    const runId = actIdOf('demo-payout-run', run);
    if (stage === 'prepare') return this.prepare(runId);
    return stage === 'send' ? this.send(runId) : this.record(runId, run === REFUSED_RUN);
  }

  /** Records all shares of creators so far. */
  async recordEarnings(): Promise<void> {
    // Projections do not run in the past.
    await this.projections.catchUp(booksProjection.name);
    await this.earnings.runOnce();
  }

  private async prepare(runId: string): Promise<void> {
    const by = await this.actor('finance');
    await this.recordEarnings();
    await this.commands.execute(new DraftPayoutRun({ runId, cutoff: null, by }));
    await this.carriedOut();
    await this.commands.execute(new AdvancePayoutRun({ runId, step: 'fix', by, reason: null }));
    await this.carriedOut();
  }

  private async send(runId: string): Promise<void> {
    const by = await this.actor('admin');
    await this.commands.execute(new AdvancePayoutRun({ runId, step: 'check', by, reason: null }));
    await this.carriedOut();
    if ((await this.payoutsOf(runId)).length === 0) return;
    await this.commands.execute(new MakePayoutFile({ runId, file: 1, by }));
    await this.commands.execute(new DownloadPayoutFile({ runId, file: 1, by }));
  }

  /** @param withRefusal the bank refuses the last one of several transfers */
  private async record(runId: string, withRefusal: boolean): Promise<void> {
    const by = await this.actor('admin');
    const payouts = await this.payoutsOf(runId);
    const refused = withRefusal && payouts.length > 1 ? payouts.at(-1) : undefined;
    const paidOn = this.clock.now().toISOString().slice(0, 10);
    const lines = payouts
      .filter((payout) => payout !== refused)
      .map(({ reference, amount_cents: cents }, index) =>
        [reference, ((cents ?? 0) / 100).toFixed(2), paidOn, `SANDBOX-${paidOn}-${index + 1}`].join(','),
      );
    if (lines.length === 0) return;
    await this.commands.execute(new RecordTransfers({ file: `${lines.join('\n')}\n`, by }));
    await this.carriedOut();
    if (!refused?.payout_id) return;
    const reason = 'The bank refused the transfer: the account is closed.';
    await this.commands.execute(new EndPayout({ payoutId: refused.payout_id, end: 'fail', reason, by }));
  }

  private async payoutsOf(runId: string) {
    const page = { runId, skipped: false, limit: MAX_CREATORS, after: null };
    return (await this.queries.execute(new ListPayoutRunCreators(page))).creators;
  }

  /** The command has woken the runner. The clock must not move before it is done. */
  private async carriedOut(): Promise<void> {
    await this.runner.tick();
    this.clock.pass(10 * MINUTE_MS);
  }

  private async actor(role: 'admin' | 'finance'): Promise<Actor> {
    const actor = await demoActor(this.clerk, role);
    // Reads the name from the identity provider, as a sign-in does: pages name who acted.
    await this.queries.execute(new GetUser({ userId: actor.userId }));
    return actor;
  }
}
