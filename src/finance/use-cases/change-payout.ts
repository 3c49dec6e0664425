import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type ActKind, type ActValues } from '../../contract/acts.js';
import { DAY_MS } from '../../contract/durations.js';
import { GetCreators } from '../../creators/index.js';
import { type Actor } from '../../platform/acts/actor.js';
import { actIdOf, Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { DomainError } from '../../platform/domain-error.js';
import { cancelPayout, failPayout, holdPayouts, releasePayouts } from '../payouts/decide.js';
import { type DecidePayouts, PayoutStore } from '../payouts/payout-store.js';
import { type FinanceTables, type PayoutTable } from '../tables.js';
import { refused } from './payout-command.js';

/** An act with its reason. */
export interface Reasoned {
  /** Stored permanently: must contain no personal data. */
  readonly reason: string;
  readonly by: Actor;
}

/**
 * Gives up a payout that is not paid (`cancel`), or records that the bank refused it or that it came back (`fail`).
 * Repeating it changes nothing.
 * @throws DomainError notFound; conflict for a `cancel` of a payout that a file for the bank has, or had before it was
 *   taken back; PayoutRefusedError
 */
export class EndPayout extends CommandOf<
  Reasoned & { readonly payoutId: string; readonly end: 'cancel' | 'fail' },
  void
> {}

/**
 * Keeps a creator out of payout runs until an instant. Replaces an earlier hold. Repeating it changes nothing.
 * @throws DomainError notFound; invalid for an instant that has passed, or more than two years ahead
 */
export class HoldPayouts extends CommandOf<Reasoned & { readonly creatorId: string; readonly until: Date }, void> {}

/** Ends the hold of a creator's payouts now. Changes nothing without one. @throws DomainError notFound */
export class ReleasePayouts extends CommandOf<Reasoned & { readonly creatorId: string }, void> {}

const LONGEST_HOLD_MS = 2 * 366 * DAY_MS;

/** An act on the payouts of a creator. */
interface PayoutAct {
  readonly kind: ActKind;
  readonly by: Actor;
  readonly creatorId: string;
  readonly subject: { readonly kind: 'payout' | 'creator'; readonly id: string };
  readonly after: ActValues;
  readonly reason: string;
}

/** Acts on the payouts of one creator, with the log of acts. */
@Injectable()
abstract class CreatorPayoutAct {
  constructor(
    @Inject(DATABASE) protected readonly db: Kysely<FinanceTables>,
    private readonly acts: Acts,
    private readonly payouts: PayoutStore,
    protected readonly clock: Clock,
    protected readonly queries: QueryBus,
  ) {}

  /**
   * Performs the act. A decision without events changes nothing, and is no act.
   * @param prepare runs when the decision has events, before the act is announced. It throws to refuse.
   */
  protected async perform(act: PayoutAct, decide: DecidePayouts, prepare?: () => Promise<void>): Promise<void> {
    const { kind, by, creatorId, subject, after, reason } = act;
    const loaded = await this.payouts.load(creatorId);
    if (decide(loaded.state, this.clock.now()).length === 0) return;
    await prepare?.();
    // The version distinguishes a repeated request from the same act at a later time.
    const id = actIdOf(kind, subject.id, JSON.stringify(after), by.userId, loaded.version, reason);
    await this.acts.perform({ kind, actor: by, subject, creatorId, after, reason }, id, async (causationId) => {
      const origin = { actorId: by.userId, causationId, correlationId: causationId };
      const { events } = await this.payouts.execute(creatorId, origin, decide, loaded);
      return { answer: undefined, after, events };
    });
  }
}

@CommandHandler(EndPayout)
export class EndPayoutHandler extends CreatorPayoutAct implements ICommandHandler<EndPayout> {
  async execute({ input: { payoutId, end, reason, by } }: EndPayout): Promise<void> {
    const payout = await this.db
      .selectFrom('payout')
      .select(['creator_id', 'run_id', 'amount_cents'])
      .where('payout_id', '=', payoutId)
      .executeTakeFirst();
    if (!payout) throw new DomainError('notFound', 'There is no such payout.');
    const kind = end === 'cancel' ? 'payout.cancelled' : 'payout.failed';
    const decide = end === 'cancel' ? cancelPayout : failPayout;
    const after = { amount_cents: payout.amount_cents };
    await this.perform(
      { kind, by, creatorId: payout.creator_id, subject: { kind: 'payout', id: payoutId }, after, reason },
      (state) => decide(state, payoutId, reason),
      () => this.keepOutOfFiles(payout, end),
    );
  }

  /**
   * No further file for the bank may have the payout. One that a file has or had is not given up: the bank may pay it,
   * and only a payout that failed can be recorded as paid later.
   */
  private async keepOutOfFiles(
    { run_id: runId, creator_id: creatorId }: Pick<PayoutTable, 'run_id' | 'creator_id'>,
    end: 'cancel' | 'fail',
  ): Promise<void> {
    const { rows } = await sql<{ refused: boolean }>`
      with found as (
        select coalesce(file > 0, false) or taken_back_file is not null as in_file
        from payout_run_creator where run_id = ${runId}::uuid and creator_id = ${creatorId} for update
      ), changed as (
        update payout_run_creator set file = coalesce(file, 0), ending = true from found
        where run_id = ${runId}::uuid and creator_id = ${creatorId} and not (${end === 'cancel'} and in_file)
      )
      select in_file and ${end === 'cancel'} as refused from found`.execute(this.db);
    if (rows[0]?.refused !== true) return;
    throw refused('A file for the bank has or had this payout. Record it as paid or failed.');
  }
}

/** Acts on the hold of a creator's payouts. */
abstract class HoldAct extends CreatorPayoutAct {
  protected async hold(
    kind: 'payout.held' | 'payout.released',
    { creatorId, reason, by }: ReleasePayouts['input'],
    until: Date,
    decide: DecidePayouts,
  ): Promise<void> {
    const creators = await this.queries.execute(new GetCreators({ creatorIds: [creatorId] }));
    if (!creators.has(creatorId)) throw new DomainError('notFound', 'There is no such creator.');
    const after = { until: until.toISOString() };
    await this.perform({ kind, by, creatorId, subject: { kind: 'creator', id: creatorId }, after, reason }, decide);
  }
}

@CommandHandler(HoldPayouts)
export class HoldPayoutsHandler extends HoldAct implements ICommandHandler<HoldPayouts> {
  async execute({ input }: HoldPayouts): Promise<void> {
    const { until, reason, by } = input;
    const now = this.clock.now().getTime();
    if (until.getTime() <= now) throw new DomainError('invalid', 'The hold must end in the future.');
    if (until.getTime() > now + LONGEST_HOLD_MS) {
      throw new DomainError('invalid', 'Payouts can be held for two years at most.');
    }
    await this.hold('payout.held', input, until, (state) => holdPayouts(state, { until, heldBy: by.userId, reason }));
  }
}

@CommandHandler(ReleasePayouts)
export class ReleasePayoutsHandler extends HoldAct implements ICommandHandler<ReleasePayouts> {
  async execute({ input }: ReleasePayouts): Promise<void> {
    const { reason, by } = input;
    const until = this.clock.now();
    await this.hold('payout.released', input, until, (state) =>
      releasePayouts(state, { until, heldBy: by.userId, reason }),
    );
  }
}
