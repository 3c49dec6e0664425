import { describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { fakeServer, messages, pass, refusal, renderPage, onPage } from '../../../test/page.js';
import SignedInExtras from './signed-in-extras.js';

const HOUR_MS = 3_600_000;

onPage();

describe('SignedInExtras', () => {
  it('asks for the daily credits of the next day when the page stays open past midnight UTC', async () => {
    jest.setSystemTime(new Date('2026-11-30T22:30:00Z'));
    const balance = { total_balance: 40, free_credits: 40, paid_credits: 0 };
    const server = fakeServer({
      get_user_credit_breakdown: { ...balance, daily_credits_last_granted: '2026-11-30' },
      grant_daily_credits_by_jwt: { success: true, credits_granted: 0 },
    });
    await renderPage(<SignedInExtras userId="user_1" />);
    await pass(1_000);
    expect(server.count('grant_daily_credits_by_jwt')).toBe(1);
    await pass(HOUR_MS);
    expect(server.count('grant_daily_credits_by_jwt')).toBe(1);
    await pass(HOUR_MS);
    expect(server.count('grant_daily_credits_by_jwt')).toBe(2);
  });

  it('[F2.16, F4.27] asks for the credits of another day on a route change, and shows no failure', async () => {
    jest.setSystemTime(new Date('2026-11-30T12:00:00Z'));
    const warn = jest.spyOn(console, 'warn').mockReturnValue(undefined);
    const server = fakeServer({
      get_user_credit_breakdown: { total_balance: 40, free_credits: 40, paid_credits: 0 },
      grant_daily_credits_by_jwt: { success: true, credits_granted: 10 },
    });
    const router = await renderPage(<SignedInExtras userId="user_2" />, '/faq', '*');
    await pass(10);
    const goTo = (path: string): Promise<void> => act(() => router.navigate(path));
    await goTo('/');
    expect(server.count('grant_daily_credits_by_jwt')).toBe(1);
    jest.setSystemTime(new Date('2026-12-01T12:00:00Z'));
    server.answer({ grant_daily_credits_by_jwt: refusal(500, 'Failed to process daily credit grant.') });
    await goTo('/privacypolicy');
    await pass(10);
    expect(server.count('grant_daily_credits_by_jwt')).toBe(2);
    expect([messages(), screen.queryByRole('alert'), warn.mock.calls.length]).toEqual([[], null, 1]);
    warn.mockRestore();
  });

  it('asks again ten seconds after a failure, without a change of the route', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue(undefined);
    const server = fakeServer({ get_user_credit_breakdown: { total_balance: 30, free_credits: 30, paid_credits: 0 } });
    await renderPage(<SignedInExtras userId="user_3" />);
    await pass(9_000);
    expect([server.count('grant_daily_credits_by_jwt'), warn.mock.calls.length]).toEqual([1, 1]);
    server.answer({ grant_daily_credits_by_jwt: { success: true, credits_granted: 10 } });
    await pass(2_000);
    expect(server.count('grant_daily_credits_by_jwt')).toBe(2);
    await pass(HOUR_MS);
    expect(server.count('grant_daily_credits_by_jwt')).toBe(2);
    warn.mockRestore();
  });
});
