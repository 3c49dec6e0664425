import { describe, expect, it } from '@jest/globals';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { dailyPart, deducted, granted, MIDNIGHT } from '../../../test/support/credit-events.js';
import { type CreditEvent } from '../account/events.js';
import { balanceAfter, type BalanceRow, emptyBalance, transactionOf } from './account-projection.js';

function after(...events: CreditEvent[]): BalanceRow {
  const stored = events.map((event, version) => ({ ...event, version, stream: 'creditAccount-user_1' }));
  return (stored as unknown as StoredEvent[]).reduce(balanceAfter, emptyBalance('user_1'));
}

describe('balanceAfter', () => {
  it('has the end of the daily credits while some are left, and none once they are spent', () => {
    expect(after(granted(), deducted([dailyPart(9)]))).toMatchObject({
      daily: 1,
      daily_expires_at: new Date(MIDNIGHT),
    });
    expect(after(granted(), deducted([dailyPart(10)]))).toMatchObject({ daily: 0, daily_expires_at: null });
  });
});

describe('transactionOf', () => {
  it('makes a row for a refund of credits that are all spent, and none for other events that change no balance', () => {
    const row = emptyBalance('user_1');
    const rowFor = (event: object) =>
      transactionOf(row, { ...event, version: 5, metadata: { occurredAt: MIDNIGHT } } as unknown as StoredEvent, row);
    const lot = { schemaVersion: 1, lotId: 'cs_1', reversalId: 're_1' };
    const spent = { ...lot, cause: 'refund', amountCents: 500, revoked: 0, debt: 50 };
    expect(rowFor({ type: 'PurchaseReversed', data: spent })).toMatchObject({
      amount: 0,
      reference_id: 'cs_1',
      version: 5,
    });
    expect(rowFor({ type: 'PurchaseReinstated', data: { ...lot, amount: 0 } })).toBeNull();
  });
});
