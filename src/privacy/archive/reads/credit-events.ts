import { accountStream, balanceAfter, emptyBalance, readCreditEvent, transactionOf } from '../../../credits/index.js';
import { inPages } from '../../../platform/database/in-pages.js';
import { emptyIfDeleted, type EventStore, type StoredEvent } from '../../../platform/event-store/event-store.js';
import { ROWS_PER_READ } from '../personal-tables.js';

/**
 * Every event of the person's account with its effect on the balance, oldest first, in pages. The metadata stays out,
 * because it contains the admin behind a correction.
 * @param now decides whether daily credits have lapsed
 * @returns the balance that the events add up to
 */
export async function* readCreditEvents(
  eventStore: EventStore,
  userId: string,
  now: Date,
): AsyncGenerator<readonly object[], object> {
  const stream = accountStream(userId);
  let balance = emptyBalance(userId);
  const pages = inPages<StoredEvent>(ROWS_PER_READ, (last, limit) =>
    emptyIfDeleted(eventStore.readStream(stream, { fromVersion: (last?.version ?? -1) + 1, limit })),
  );
  for await (const page of pages) {
    yield page.map((stored) => {
      const before = balance;
      balance = balanceAfter(before, stored);
      const transaction = transactionOf(before, stored, balance);
      const { type, data } = readCreditEvent(stored);
      return {
        number: stored.version + 1,
        id: stored.id,
        at: stored.metadata['occurredAt'] ?? null,
        type,
        description: transaction?.description ?? WITHOUT_EFFECT[type] ?? null,
        amount: transaction?.amount ?? 0,
        balance_after: balance.daily + balance.bonus + balance.paid,
        details: data,
      };
    });
  }
  const { bonus, paid, debt: owed, daily_expires_at: lapsesAt, lifetime_earned, lifetime_spent } = balance;
  const daily = lapsesAt !== null && lapsesAt <= now ? 0 : balance.daily;
  return { daily, bonus, paid, total: daily + bonus + paid, owed, lifetime_earned, lifetime_spent };
}

/** Descriptions of events that leave the balance as it is. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  DeductionSettled: 'Image delivered',
  DeductionVoided: 'Image failed before its credits were taken',
};
