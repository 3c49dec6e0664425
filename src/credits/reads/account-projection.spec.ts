import { describe, expect, it } from '@jest/globals';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type Allocation, type CreditEvent } from '../account/events.js';
import { balanceAfter, type BalanceRow, emptyBalance, transactionOf } from './account-projection.js';

const MIDNIGHT = '2026-03-11T00:00:00.000Z';
const LOT = { lotId: 'daily:2026-03-10', kind: 'daily', expiresAt: MIDNIGHT } as const;
const GRANT: CreditEvent = {
  type: 'CreditsGranted',
  data: { schemaVersion: 1, ...LOT, source: 'daily', amount: 10, reason: null },
};

function after(...events: CreditEvent[]): BalanceRow {
  const stored = events.map((event, version) => ({ ...event, version, stream: 'creditAccount-user_1' }));
  return (stored as unknown as StoredEvent[]).reduce(balanceAfter, emptyBalance('user_1'));
}

function deducted(amount: number): CreditEvent {
  const allocations: Allocation[] = [{ ...LOT, amount, unitPriceCents: 0 }];
  const image = { deductionId: 'g1', creatorId: 'creator_1', ownGeneration: false };
  return { type: 'CreditsDeducted', data: { schemaVersion: 2, ...image, amount, allocations } };
}

describe('balanceAfter', () => {
  it('has the end of the daily credits while some are left, and none once they are spent', () => {
    expect(after(GRANT, deducted(9))).toMatchObject({ daily: 1, daily_expires_at: new Date(MIDNIGHT) });
    expect(after(GRANT, deducted(10))).toMatchObject({ daily: 0, daily_expires_at: null });
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
