import { type PaidSession } from '../../src/credits/account/decide-purchases.js';

/** A paid checkout session. By default 100 credits of the basic bundle, at 10 cents a credit. */
export function paidSession(fields: Partial<PaidSession> = {}): PaidSession {
  const { sessionId = 'cs_1', credits = 100 } = fields;
  return {
    sessionId,
    bundleId: 'basic',
    credits,
    amountCents: credits * 10,
    paymentIntentId: `pi_of_${sessionId}`,
    ...fields,
  };
}
