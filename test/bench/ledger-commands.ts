import { type AccountSnapshots } from '../../src/credits/ledger/account-snapshots.js';
import { AccountStore, type AccountStoreSettings } from '../../src/credits/ledger/account-store.js';
import { SignUpBonus } from '../../src/credits/ledger/sign-up-bonus.js';
import { DeductCreditsHandler, DeductCredits } from '../../src/credits/use-cases/deduct-credits.js';
import { SettleDeductionHandler, SettleDeduction } from '../../src/credits/use-cases/settle-deduction.js';
import { grantBonusCredits, openAccount } from '../../src/credits/account/decide.js';
import { SystemClock } from '../../src/platform/clock.js';
import { type PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { EveryUserIsAPerson } from '../support/once-per-person.js';

/** Accounts that are opened at the same time. */
const OPENED_AT_ONCE = 64;

/** The ledger's commands on one event store. @param settings by default the accounts are in memory */
export function ledgerOn(
  eventStore: PostgresEventStore,
  snapshots?: AccountSnapshots,
  settings?: Partial<AccountStoreSettings>,
) {
  const ids = new UuidGenerator();
  const accounts = new AccountStore(eventStore, new SystemClock(), ids, snapshots, settings);
  const bonus = new SignUpBonus(new EveryUserIsAPerson(), new SystemClock());
  const deducts = new DeductCreditsHandler(accounts, bonus);
  const settles = new SettleDeductionHandler(accounts);

  const open = async (userId: string): Promise<void> => {
    const gift = { grantId: 'gift', amount: 1_000_000_000, reason: 'For the benchmark' };
    await accounts.execute(userId, { actorId: userId }, openAccount);
    await accounts.execute(userId, { actorId: 'admin_1' }, (state, now) => grantBonusCredits(gift, state, now));
  };
  /** Takes a credit for a picture. @returns the settlement */
  const deduct = async (userId: string): Promise<SettleDeduction> => {
    const deduction = { userId, deductionId: ids.next() };
    await deducts.execute(new DeductCredits({ ...deduction, amount: 1, creatorId: 'creator_1', ownGeneration: false }));
    return new SettleDeduction(deduction);
  };
  const settle = (settlement: SettleDeduction): Promise<unknown> => settles.execute(settlement);
  return {
    deduct,
    settle,
    /** Opens so many accounts that can pay. Returns their ids. */
    async openAccounts(count: number): Promise<string[]> {
      const userIds = Array.from({ length: count }, () => `user_${ids.next()}`);
      const queue = [...userIds];
      await Promise.all(
        Array.from({ length: OPENED_AT_ONCE }, async () => {
          for (let userId = queue.pop(); userId; userId = queue.pop()) await open(userId);
        }),
      );
      return userIds;
    },
    /** Ledger work for paid pictures: in turns a deduction on one of these accounts and the settlement of one. */
    commands(userIds: readonly string[]): () => Promise<unknown> {
      const unsettled: SettleDeduction[] = [];
      let turn = 0;
      return async () => {
        turn += 1;
        const settlement = turn % 2 === 0 ? unsettled.shift() : undefined;
        if (settlement) await settle(settlement);
        else unsettled.push(await deduct(userIds[Math.floor(Math.random() * userIds.length)] ?? ''));
      };
    },
  };
}
