import { v7 } from 'uuid';
import { type CreditEvent } from '../../src/credits/account/events.js';
import { deductCredits, refundDeduction, settleDeduction } from '../../src/credits/account/decide.js';
import { purchaseCredits, reinstatePurchase, reversePurchase } from '../../src/credits/account/decide-purchases.js';
import { type AccountState } from '../../src/credits/account/state.js';
import { type AccountStore } from '../../src/credits/ledger/account-store.js';
import { type ManualClock } from '../../src/platform/clock.js';
import { paidSession } from './paid-session.js';

/** A fan whose credits move by the ledger's own decisions, without generations and payments. */
export class LedgerFan {
  readonly id = `user_${v7()}`;
  private images = 0;

  constructor(
    private readonly accounts: AccountStore,
    private readonly clock: ManualClock,
  ) {}

  async buy(sessionId: string, credits = 100, cents = 1000): Promise<void> {
    const command = paidSession({ sessionId, credits, amountCents: cents });
    await this.execute((state, now) => purchaseCredits(command, state, now));
  }

  /** Creates an image with the given end. @returns its id */
  async image(
    creatorId: string,
    cost = 10,
    end: 'delivered' | 'failed' | 'open' | 'own' = 'delivered',
  ): Promise<string> {
    const id = v7({ msecs: this.clock.now().getTime() + (this.images += 1) });
    await this.execute((state, now) =>
      deductCredits({ deductionId: id, amount: cost, creatorId, ownGeneration: end === 'own' }, state, now, 'due'),
    );
    if (end === 'failed') await this.fail(id);
    if (end === 'delivered' || end === 'own') await this.deliver(id);
    return id;
  }

  async deliver(id: string): Promise<void> {
    await this.execute((state, now) => settleDeduction({ deductionId: id }, state, now));
  }

  async fail(id: string): Promise<void> {
    await this.execute((state, now) => refundDeduction({ deductionId: id, reason: 'timeout' }, state, now));
  }

  async reverse(
    sessionId: string,
    reversalId: string,
    cents: number,
    cause: 'refund' | 'dispute' = 'dispute',
  ): Promise<void> {
    const command = { sessionId, reversalId, cause, amountCents: cents };
    await this.execute((state, now) => reversePurchase(command, state, now));
  }

  async reinstate(sessionId: string, reversalId: string): Promise<void> {
    const command = { sessionId, reversalId };
    await this.execute((state, now) => reinstatePurchase(command, state, now));
  }

  private async execute(decide: (state: AccountState, now: Date) => CreditEvent[]): Promise<void> {
    await this.accounts.execute(this.id, { actorId: this.id }, decide);
  }
}
