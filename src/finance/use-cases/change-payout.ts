import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type ActKind, type ActValues } from '../../contract/acts.js';
import { type Actor } from '../../platform/acts/actor.js';
import { actIdOf, Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { cancelPayout, failPayout, holdPayouts } from '../payouts/decide.js';
import { type DecidePayouts, PayoutStore } from '../payouts/payout-store.js';
import { type FinanceTables } from '../tables.js';

/**
 * Gives up a payout that is not paid (`cancel`), or records that the bank refused it or that it came back (`fail`).
 * Repeating it changes nothing.
 * @throws DomainError notFound; PayoutRefusedError
 */
export class EndPayout extends Command<void> {
  constructor(
    readonly input: {
      readonly payoutId: string;
      readonly end: 'cancel' | 'fail';
      /** Stored permanently: must contain no personal data. */
      readonly reason: string;
      readonly by: Actor;
    },
  ) {
    super();
  }
}

/**
 * Keeps a creator out of payout runs until an instant. Replaces an earlier hold; an instant that has passed ends it.
 * @throws DomainError invalid for more than two years
 */
export class HoldPayouts extends Command<void> {
  constructor(
    readonly input: {
      readonly creatorId: string;
      readonly until: Date;
      /** Stored permanently: must contain no personal data. */
      readonly reason: string;
      readonly by: Actor;
    },
  ) {
    super();
  }
}

const LONGEST_HOLD_MS = 2 * 366 * 86_400_000;

/** Acts on the payouts of one creator, with the log of acts. */
abstract class CreatorPayoutAct {
  constructor(
    protected readonly acts: Acts,
    protected readonly payouts: PayoutStore,
  ) {}

  protected async perform(
    act: {
      readonly kind: ActKind;
      readonly by: Actor;
      readonly creatorId: string;
      readonly subject: { readonly kind: 'payout' | 'creator'; readonly id: string };
      readonly after: ActValues;
      readonly reason: string;
    },
    decide: DecidePayouts,
  ): Promise<void> {
    const { kind, by, creatorId, subject, after, reason } = act;
    const id = actIdOf(kind, subject.id, JSON.stringify(after), by.userId, 0, reason);
    await this.acts.perform({ kind, actor: by, subject, creatorId, after, reason }, id, async (causationId) => {
      const origin = { actorId: by.userId, causationId, correlationId: causationId };
      const { events } = await this.payouts.execute(creatorId, origin, decide);
      return { answer: undefined, after, events };
    });
  }
}

@CommandHandler(EndPayout)
export class EndPayoutHandler extends CreatorPayoutAct implements ICommandHandler<EndPayout> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    acts: Acts,
    payouts: PayoutStore,
  ) {
    super(acts, payouts);
  }

  async execute({ input: { payoutId, end, reason, by } }: EndPayout): Promise<void> {
    const payout = await this.db
      .selectFrom('payout')
      .select(['creator_id', 'amount_cents'])
      .where('payout_id', '=', payoutId)
      .executeTakeFirst();
    if (!payout) throw new DomainError('notFound', 'There is no such payout.');
    const kind = end === 'cancel' ? 'payout.cancelled' : 'payout.failed';
    const decide = end === 'cancel' ? cancelPayout : failPayout;
    const after = { amount_cents: payout.amount_cents };
    await this.perform(
      { kind, by, creatorId: payout.creator_id, subject: { kind: 'payout', id: payoutId }, after, reason },
      (state) => decide(state, payoutId, reason),
    );
  }
}

@CommandHandler(HoldPayouts)
export class HoldPayoutsHandler extends CreatorPayoutAct implements ICommandHandler<HoldPayouts> {
  constructor(
    acts: Acts,
    payouts: PayoutStore,
    private readonly clock: Clock,
  ) {
    super(acts, payouts);
  }

  async execute({ input: { creatorId, until, reason, by } }: HoldPayouts): Promise<void> {
    if (until.getTime() > this.clock.now().getTime() + LONGEST_HOLD_MS) {
      throw new DomainError('invalid', 'Payouts can be held for two years at most.');
    }
    const after = { until: until.toISOString() };
    await this.perform(
      { kind: 'payout.held', by, creatorId, subject: { kind: 'creator', id: creatorId }, after, reason },
      (state) => holdPayouts(state, { until, heldBy: by.userId, reason }),
    );
  }
}
