import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { type Answers, fakeServer, messages, pass, refusal, renderPage, onPage } from '../../../test/page.js';
import SignedInExtras from './signed-in-extras.js';

const BALANCE = 'get_user_credit_breakdown';
const GRANT = 'grant_daily_credits_by_jwt';
const HOUR_MS = 3_600_000;
const granted = { success: true, credits_granted: 10 };
const grantedOn = (day: string) => ({
  total_balance: 40,
  free_credits: 40,
  paid_credits: 0,
  daily_credits_last_granted: day,
});

onPage();

describe('[F2.16] daily credits', () => {
  beforeEach(() => {
    jest.setSystemTime(new Date('2026-11-30T22:30:00Z'));
    jest.spyOn(console, 'warn').mockReturnValue(undefined);
  });
  const open = async (answers: Answers) => {
    const server = fakeServer(answers);
    const router = await renderPage(<SignedInExtras userId="user_1" />, '/faq', '*');
    await pass(10);
    return { ...server, goTo: (path: string): Promise<void> => act(() => router.navigate(path)) };
  };

  it('asks when the next day of UTC begins, until the balance shows it', async () => {
    const server = await open({ [BALANCE]: grantedOn('2026-11-30'), [GRANT]: granted });
    await pass(HOUR_MS);
    expect(server.count(GRANT)).toBe(0);
    server.answer({ [BALANCE]: grantedOn('2026-12-01') });
    await pass(HOUR_MS);
    expect(server.count(GRANT)).toBe(1);
    await pass(HOUR_MS);
    expect(server.count(GRANT)).toBe(1);
  });

  it('asks again while the server, by its clock, has granted those of the day before', async () => {
    jest.setSystemTime(new Date('2026-12-01T00:00:05Z'));
    const server = await open({ [BALANCE]: grantedOn('2026-11-30'), [GRANT]: { success: true, credits_granted: 0 } });
    expect(server.count(GRANT)).toBe(1);
    await pass(9_000);
    expect(server.count(GRANT)).toBe(1);
    server.answer({ [BALANCE]: grantedOn('2026-12-01'), [GRANT]: granted });
    await pass(2_000);
    expect(server.count(GRANT)).toBe(2);
    await pass(HOUR_MS);
    expect(server.count(GRANT)).toBe(2);
  });

  it('asks again 10, 60 and then every 300 seconds after a failure', async () => {
    const after = (ms: number, answer: unknown) => () =>
      new Promise((resolve) => {
        setTimeout(() => resolve(answer), ms);
      });
    // Answers that take time, as they do: the page is drawn between two.
    const server = await open({
      [BALANCE]: after(80, grantedOn('2026-11-29')),
      [GRANT]: after(50, refusal(500, 'Failed to process daily credit grant.')),
    });
    await pass(300);
    expect(server.count(GRANT)).toBe(1);
    for (const [asked, wait] of [10_000, 60_000, 300_000, 300_000].entries()) {
      await pass(wait - 1_000);
      expect(server.count(GRANT)).toBe(asked + 1);
      await pass(1_200);
      expect(server.count(GRANT)).toBe(asked + 2);
    }
  });

  it('[F4.27] asks on a route change after the device has slept, and shows no failure', async () => {
    const server = await open({ [BALANCE]: grantedOn('2026-11-30') });
    await server.goTo('/');
    expect(server.count(GRANT)).toBe(0);
    jest.setSystemTime(new Date('2026-12-01T12:00:00Z'));
    server.answer({ [GRANT]: refusal(500, 'Failed to process daily credit grant.') });
    await server.goTo('/privacypolicy');
    await pass(10);
    expect(server.count(GRANT)).toBe(1);
    expect([messages(), screen.queryByRole('alert')]).toEqual([[], null]);
  });

  const show = (state: 'hidden' | 'visible'): void => {
    jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
  };

  it('leaves it to the tab that is seen', async () => {
    show('hidden');
    const server = await open({ [BALANCE]: grantedOn('2026-11-29'), [GRANT]: granted });
    await pass(HOUR_MS);
    expect(server.count(GRANT)).toBe(0);
  });

  it('asks when a tab that was opened in the background is seen', async () => {
    show('hidden');
    const server = await open({ [BALANCE]: grantedOn('2026-11-29'), [GRANT]: granted });
    await pass(5_000);
    expect(server.count(GRANT)).toBe(0);
    server.answer({ [BALANCE]: grantedOn('2026-11-30') });
    show('visible');
    await pass(1_000);
    expect(server.count(GRANT)).toBe(1);
  });
});
