import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type ClosingStep } from '../../../contract/closing.js';
import { EraseCreator, GetOwnCreator } from '../../../creators/index.js';
import { EraseProposals, WaiveCredits } from '../../../credits/index.js';
import { TakeOutOfGalleries } from '../../../gallery/index.js';
import { CancelPending, EraseOwner, EraseTakeDowns, WithholdImages } from '../../../generation/index.js';
import { DeleteUser } from '../../../identity/index.js';
import { EndCheckouts, ForgetBuyer, RefundUnspent } from '../../../payments/index.js';
import { Acts } from '../../../platform/acts/acts.js';
import { EventStore } from '../../../platform/event-store/event-store.js';
import { ProjectionRunner } from '../../../platform/projections/projection-runner.js';
import { HasEarnings, REVENUE_PROJECTION } from '../../../revenue/index.js';
import { hideAccount } from '../hide-account.js';
import { type StepOutcome } from '../next-step.js';
import { type ClosureRow } from '../tables.js';

/** How long a step waits for a projection, milliseconds. Longer waits are retries of the step. */
const PROJECTION_WAIT_MS = 1_000;

type Closure = Pick<ClosureRow, 'id' | 'user_id' | 'choice'>;

/** Performs the steps of closures. Each step may run any number of times and continues where it stopped. */
@Injectable()
export class StepPerformer {
  private readonly steps: Readonly<Record<ClosingStep, (closure: Closure) => Promise<StepOutcome>>> = {
    hide: (closure) => this.hide(closure),
    pending: (closure) => this.cancelPending(closure),
    content: (closure) => this.eraseContent(closure),
    creator: (closure) => this.eraseCreator(closure),
    checkouts: async ({ user_id: userId }) =>
      done({ checkouts: await this.commands.execute(new EndCheckouts({ userId })) }),
    credits: (closure) => this.endCredits(closure),
    processor: async ({ user_id: userId }) => done({ ...(await this.commands.execute(new ForgetBuyer({ userId }))) }),
    identity: async ({ user_id: userId }) => {
      await this.acts.eraseTextsAbout({ userId });
      await this.commands.execute(new DeleteUser({ userId }));
      return done({});
    },
  };

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly eventStore: EventStore,
    private readonly projections: ProjectionRunner,
    private readonly acts: Acts,
  ) {}

  async perform(step: ClosingStep, closure: Closure): Promise<StepOutcome> {
    return this.steps[step](closure);
  }

  private async hide({ user_id: userId }: Closure): Promise<StepOutcome> {
    const creatorId = await hideAccount(this.commands, userId);
    let items = await this.commands.execute(new TakeOutOfGalleries({ userId }));
    if (creatorId !== null) items += await this.commands.execute(new TakeOutOfGalleries({ creatorId }));
    return done({ gallery_items: items });
  }

  private async cancelPending({ user_id: userId }: Closure): Promise<StepOutcome> {
    const own = await this.commands.execute(new CancelPending({ userId }));
    const creator = await this.queries.execute(new GetOwnCreator({ userId }));
    const fans = creator
      ? await this.commands.execute(new CancelPending({ creatorId: creator.id }))
      : { cancelled: 0, stillOpen: 0 };
    return {
      done: own.stillOpen === 0 && fans.stillOpen === 0,
      counts: { cancelled: own.cancelled, ...(creator ? { fans_cancelled: fans.cancelled } : {}) },
    };
  }

  private async eraseContent({ user_id: userId }: Closure): Promise<StepOutcome> {
    const { pending, ...counts } = await this.commands.execute(new EraseOwner({ userId }));
    const { waiting } = await this.commands.execute(new EraseProposals({ userId }));
    return { done: pending === 0 && waiting === 0, counts };
  }

  private async eraseCreator({ user_id: userId }: Closure): Promise<StepOutcome> {
    const creator = await this.queries.execute(new GetOwnCreator({ userId }));
    if (!creator) return done({});
    const hidden = await this.commands.execute(new WithholdImages({ creatorId: creator.id, since: null }));
    await this.commands.execute(new EraseTakeDowns({ creatorId: creator.id }));
    // Without earnings, name and address are erased permanently. So every settled image must be counted.
    if (!(await this.isRevenueCurrent())) return { done: false, counts: { fans_images_hidden: hidden } };
    const hasEarnings = await this.queries.execute(new HasEarnings({ creatorId: creator.id }));
    await this.commands.execute(new EraseCreator({ creatorId: creator.id, hasEarnings }));
    await this.acts.eraseTextsAbout({ userId, creatorId: creator.id });
    return done({ fans_images_hidden: hidden });
  }

  /** Whether the revenue includes every event that was stored before this call. */
  private async isRevenueCurrent(): Promise<boolean> {
    const { name, streamPrefix } = REVENUE_PROJECTION;
    const last = await this.eventStore.lastPosition(streamPrefix);
    return last === null || this.projections.waitFor(last, { name, timeoutMs: PROJECTION_WAIT_MS });
  }

  private async endCredits({ id, user_id: userId, choice }: Closure): Promise<StepOutcome> {
    if (choice === 'waive') {
      const { waived } = await this.commands.execute(new WaiveCredits({ userId, waiverId: id }));
      return done({ waived_credits: waived });
    }
    const refund = await this.commands.execute(new RefundUnspent({ userId, reason: reasonOf(id) }));
    const totals = { refunds: refund.refunds, refunded_credits: refund.credits, refunded_cents: refund.cents };
    return { done: refund.waiting === 0, counts: {}, totals };
  }
}

/** The reason of the refunds of a closure. Stored permanently, and names the closure. */
function reasonOf(closureId: string): string {
  return `Account closed (${closureId})`;
}

function done(counts: StepOutcome['counts']): StepOutcome {
  return { done: true, counts };
}
