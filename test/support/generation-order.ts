import { expect } from '@jest/globals';
import { type GenerationApp } from './generation-app.js';

/** Expects that every generation of a user has ended, its deduction matches, and the balance agrees. */
export async function expectOrder(app: GenerationApp, userId: string): Promise<void> {
  const rows = await app.db.selectFrom('generation').selectAll().where('user_id', '=', userId).execute();
  for (const row of rows) {
    const { state } = await app.deduction(userId, row.id);
    const credits = row.refunded ? 'refunded' : 'voided';
    expect([row.status, state]).toEqual(row.status === 'completed' ? ['completed', 'settled'] : ['failed', credits]);
    expect(row.credits_closed_at).not.toBeNull();
    expect(row.provider_cancel_due && row.prediction_id !== null).toBe(false);
    expect(row.image !== null).toBe(row.status === 'completed');
  }
  const delivered = rows.filter((row) => row.status === 'completed').length;
  expect((await app.balances(userId)).total).toBe(30 - 10 * delivered);
  const ledger = await app.ledger(userId);
  const count = (type: string): number => ledger.filter((each) => each === type).length;
  expect(count('CreditsDeducted')).toBe(count('DeductionSettled') + count('CreditsRefunded'));
}
