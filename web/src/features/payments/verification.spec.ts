import { describe, expect, it } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import type { CheckoutSession } from '../../../../src/contract/payments.js';
import { fakeServer, lost, never, onPage, pass, refusal } from '../../../test/page.js';
import { PAID_SESSION } from '../../../test/rows.js';
import { useVerification } from './use-verification.js';
import { type LookupAnswer, RETRY_MS, startVerification, type Verification, verify } from './verification.js';

const session = (fields: Partial<CheckoutSession>): CheckoutSession => ({
  ...PAID_SESSION,
  is_paid: false,
  is_complete: false,
  payment_status: 'unpaid',
  status: 'open',
  credited: false,
  ...fields,
});
const PAID = session({
  is_paid: true,
  is_complete: true,
  payment_status: 'paid',
  status: 'complete',
  credited: true,
});
const LATER = session({ is_complete: true, status: 'complete' });

const at = (attempt: number): Verification => ({ ...startVerification('cs_test_1'), attempt });
const found = (value: CheckoutSession): LookupAnswer => ({ kind: 'session', session: value });
const answered = (attempt: number, answer: LookupAnswer): Verification =>
  verify(at(attempt), { type: 'answered', answer });

describe('verify', () => {
  it('[F4.35] leaves at once when the address has no session', () => {
    for (const id of [null, '']) {
      expect(startVerification(id)).toMatchObject({
        step: 'leaving',
        leaveTo: '/payment-canceled?reason=missing_session',
      });
    }
  });

  it('[F4.30] succeeds as soon as the session is paid and complete', () => {
    for (const attempt of [0, 4]) expect(answered(attempt, found(PAID))).toMatchObject({ step: 'paid', session: PAID });
  });

  it('succeeds without the field credited, but not when it is false', () => {
    const { credited: _, ...silent } = PAID;
    expect(answered(0, found(silent as CheckoutSession)).step).toBe('paid');
    expect(answered(0, found({ ...PAID, credited: false })).step).toBe('waiting');
  });

  it.each([
    ['open and unpaid', session({}), 'unpaid'],
    ['expired', session({ status: 'expired' }), 'unpaid'],
    [
      'expired, also when it is paid',
      session({ status: 'expired', payment_status: 'no_payment_required' }),
      'no_payment_required',
    ],
  ])('[F4.31] leaves for the unsuccessful page at once when the session is %s', (_, value, status) => {
    expect(answered(0, found(value)).leaveTo).toBe(`/payment-canceled?reason=payment_failed&status=${status}`);
  });

  it('[F4.32, F2.68] asks again about a delayed payment, and then reports that it is being processed', () => {
    expect([0, 1, 2, 3].map((attempt) => answered(attempt, found(LATER)).step)).toEqual(Array(4).fill('waiting'));
    expect(answered(4, found(LATER))).toMatchObject({
      step: 'processing',
      session: LATER,
      message: 'Payment is still being processed. Your credits will be added automatically when the payment completes.',
    });
  });

  it('treats a session that is paid but not complete as in progress', () => {
    const odd = session({ is_paid: true, payment_status: 'paid' });
    expect(answered(0, found(odd)).step).toBe('waiting');
    expect(answered(4, found(odd)).step).toBe('processing');
  });

  it.each<[string, LookupAnswer, string, string]>([
    [
      'an answer without a session',
      { kind: 'no-session' },
      'Could not retrieve payment details, but your credits may still have been added.',
      'invalid_session_data',
    ],
    ['a refusal', { kind: 'error', message: 'Not found' }, 'Not found', 'verification_error'],
    [
      'a refusal without a message',
      { kind: 'error', message: '' },
      'Could not verify your payment. Your credits may still have been added.',
      'verification_error',
    ],
    [
      'no answer at all',
      { kind: 'no-answer' },
      'Could not verify your payment. Your credits may still have been added.',
      'verification_failed',
    ],
  ])(
    '[F4.33, F4.34, F4.35] shows an error and tries again after %s, and leaves the page after the fifth attempt',
    (_, answer, message, reason) => {
      for (const attempt of [0, 1, 2, 3]) expect(answered(attempt, answer)).toMatchObject({ step: 'waiting', message });
      expect(answered(4, answer)).toMatchObject({ step: 'leaving', leaveTo: `/payment-canceled?reason=${reason}` });
    },
  );

  it('[F4.35] leaves at once when the fan is not signed in', () => {
    expect(answered(1, { kind: 'signed-out' }).leaveTo).toBe('/payment-canceled?reason=not_authenticated');
  });

  it('keeps the session through a failed attempt, and clears the message after a successful one', () => {
    const waiting = answered(0, found(LATER));
    const asking = verify(waiting, { type: 'retry-due' });
    const failed = verify(asking, { type: 'answered', answer: { kind: 'error', message: 'Not now' } });
    expect(failed).toMatchObject({ step: 'waiting', attempt: 1, session: LATER, message: 'Not now' });
    const again = verify(verify(failed, { type: 'retry-due' }), { type: 'answered', answer: found(PAID) });
    expect(again).toMatchObject({ step: 'paid', attempt: 2, message: null });
  });

  it('[F9.04] never makes a sixth attempt', () => {
    const waiting: Verification = { ...at(4), step: 'waiting' };
    expect(verify(waiting, { type: 'retry-due' }).leaveTo).toBe('/payment-canceled?reason=verification_failed');
  });

  it('ignores events that come too late', () => {
    const paid = answered(0, found(PAID));
    expect(verify(paid, { type: 'retry-due' })).toBe(paid);
    expect(verify(paid, { type: 'answered', answer: { kind: 'no-session' } })).toBe(paid);
    expect(verify(at(0), { type: 'retry-due' })).toEqual(at(0));
  });
});

describe('useVerification', () => {
  onPage();

  const TOO_MANY = (seconds: number) => refusal(429, 'Too many requests.', { 'retry-after': String(seconds) });

  /** Lets time pass in steps: effects run at the end of each. */
  const wait = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 2_000) await pass(2_000);
  };

  /** Verifies with these answers, and then none. */
  async function follow(answers: readonly unknown[], sessionId: string | null = 'cs_test_1') {
    const asked: number[] = [];
    const signals: (AbortSignal | null | undefined)[] = [];
    const began = Date.now();
    fakeServer({
      'get-checkout-session': () => {
        asked.push(Date.now() - began);
        return asked.length > answers.length ? never() : answers[asked.length - 1];
      },
    });
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => {
      signals.push(init?.signal);
      return fetch(input, init);
    };
    const { result, unmount } = renderHook(() => useVerification(sessionId, () => undefined));
    await pass(0);
    return { asked, signals, state: () => result.current, unmount };
  }

  it('[F4.32, F9.04] asks at once and every 8 seconds, five times', async () => {
    const t = await follow(Array(9).fill({ session: LATER }));
    await wait(100_000);
    expect(t.asked).toEqual([0, 8_000, 16_000, 24_000, 32_000]);
    expect(t.state().step).toBe('processing');
  });

  it('waits longer than 8 seconds for a Retry-After, once', async () => {
    const t = await follow([TOO_MANY(42), { session: LATER }, TOO_MANY(1), { session: PAID }]);
    await wait(100_000);
    expect(t.asked).toEqual([0, 42_000, 50_000, 58_000]);
    expect(t.state().step).toBe('paid');
  });

  it('ends when the payment is complete', async () => {
    const t = await follow([lost(), { session: PAID }]);
    expect(t.state().step).toBe('waiting');
    await pass(RETRY_MS);
    expect(t.state().step).toBe('paid');
    await wait(100_000);
    expect(t.asked).toHaveLength(2);
  });

  it('aborts an attempt without an answer', async () => {
    const t = await follow([]);
    await pass(19_999);
    expect(t.state().step).toBe('asking');
    await pass(1);
    expect(t.state()).toMatchObject({ step: 'waiting', attempt: 0 });
    expect(t.signals[0]?.aborted).toBe(true);
    await wait(4 * (20_000 + RETRY_MS));
    expect(t.state().leaveTo).toBe('/payment-canceled?reason=verification_failed');
    expect(t.asked).toHaveLength(5);
  });

  it('sends no request without a session', async () => {
    const t = await follow([], null);
    await wait(100_000);
    expect(t.asked).toEqual([]);
  });

  it.each([
    ['while asking', []],
    ['while waiting', [{}]],
  ])('requests nothing after the page was left %s', async (when, answers) => {
    const t = await follow(answers);
    t.unmount();
    await wait(100_000);
    expect(t.asked).toHaveLength(1);
    expect(t.signals[0]?.aborted).toBe(true);
  });
});
