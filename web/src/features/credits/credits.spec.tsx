import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import { focusManager } from '@tanstack/react-query';
import { fakeServer, lost, pass, refusal, renderPage, press, onPage, textsOf } from '../../../test/page.js';
import { creditTransaction } from '../../../test/rows.js';
import { CreditsPage } from './credits-page.js';
import { refreshCredits } from './refresh-credits.js';
import { useDailyGrant } from './use-daily-grant.js';

const BALANCE = 'get_user_credit_breakdown';
const ROWS = 'get_user_transactions_by_jwt';
const COUNT = 'count_user_transactions_by_jwt';
const balance = (total: number) => ({
  total_balance: total,
  free_credits: total,
  daily_credits: 0,
  bonus_credits: total,
  paid_credits: 0,
  lifetime_spent: 0,
  debt: 0,
});
/** One answer, and another one from then on. */
const answersOf = (first: unknown, later: unknown) => {
  let answers = 0;
  return () => (answers++ === 0 ? first : later);
};
const page = <CreditsPage creators={[]} purchases={null} />;

describe('CreditsPage', () => {
  onPage();
  afterEach(() => act(() => focusManager.setFocused(undefined)));

  it.each([
    ['waiting', 'Your 30 free credits for signing up arrive as soon as your e-mail address is verified.'],
    ['taken', 'your e-mail address has had them before'],
    ['refused', 'Verify another address to get them.'],
  ])('says why the sign-up bonus is %s', async (state, words) => {
    fakeServer({ [BALANCE]: { ...balance(10), sign_up_bonus: state }, [ROWS]: [], [COUNT]: 0 });
    await renderPage(page, '/credits');
    expect(screen.getByRole('region', { name: 'Balance' }).textContent).toContain(words);
  });

  it('says when the next daily credits come, until they do', async () => {
    jest.setSystemTime(new Date('2026-11-30T20:30:00Z'));
    const at = new Date('2026-12-01T00:00:00Z');
    const breakdown = { ...balance(10), daily_credits_last_granted: '2026-11-30' };
    const server = fakeServer({ [BALANCE]: breakdown, [ROWS]: [], [COUNT]: 0 });
    await renderPage(page, '/credits');
    const time = () => document.querySelector('time');
    const word = at.getDate() === new Date().getDate() ? 'today' : 'tomorrow';
    const clock = `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
    expect(time()?.dateTime).toBe(at.toISOString());
    expect(time()?.parentElement?.textContent).toBe(`Your next daily credits come ${word} at ${clock}.`);
    await pass(3.5 * 3_600_000);
    expect(time()).toBeNull();
    server.answer({ [BALANCE]: { ...breakdown, daily_credits_last_granted: '2026-12-01' } });
    refreshCredits();
    await pass(10);
    expect(time()?.dateTime).toBe('2026-12-02T00:00:00.000Z');
  });

  it('does not say when daily credits come before the first ones', async () => {
    fakeServer({ [BALANCE]: { ...balance(10), daily_credits_last_granted: null }, [ROWS]: [], [COUNT]: 0 });
    await renderPage(page, '/credits');
    expect(document.body.textContent).not.toContain('daily credits come');
  });

  it('downloads the statement with proof, and says why it could not', async () => {
    fakeServer({ [BALANCE]: balance(30), [ROWS]: [], [COUNT]: 0 });
    await renderPage(page, '/credits');
    const words = 'Your first credits are not in the public log yet. Try again in a minute.';
    const calls = jest
      .spyOn(globalThis, 'fetch')
      .mockResolvedValue(new Response(JSON.stringify({ code: 'P0001', message: words }), { status: 404 }));
    await press('Download my statement with proof', 1);
    expect(calls.mock.calls[0]?.[0]).toBe('/ledger/statement');
    expect(screen.getByText(`The statement could not be downloaded. ${words}`)).toBeTruthy();
    calls.mockRestore();
  });

  it('says nothing about a sign-up bonus that was granted', async () => {
    fakeServer({ [BALANCE]: { ...balance(30), sign_up_bonus: 'granted' }, [ROWS]: [], [COUNT]: 0 });
    await renderPage(page, '/credits');
    expect(screen.getByRole('region', { name: 'Balance' }).textContent).not.toContain('signing up');
  });

  describe('[F4.28] balance polling', () => {
    it('requests an empty balance five more times, after 300 + 400 x attempt ms, and then stops', async () => {
      const server = fakeServer({ [BALANCE]: balance(0), [ROWS]: [], [COUNT]: 0 });
      await renderPage(page, '/credits');
      for (const [attempt, delay] of [700, 1100, 1500, 1900, 2300].entries()) {
        await pass(delay - 1);
        expect(server.count(BALANCE)).toBe(attempt + 1);
        await pass(1);
        expect(server.count(BALANCE)).toBe(attempt + 2);
      }
      await pass(3_600_000);
      expect(server.count(BALANCE)).toBe(6);
    });

    it('stops when the credits have arrived, and does not resume when they are spent', async () => {
      const server = fakeServer({ [BALANCE]: balance(0), [ROWS]: [], [COUNT]: 0 });
      await renderPage(page, '/credits');
      server.answer({ [BALANCE]: balance(30) });
      await pass(701);
      expect(screen.getByRole('region', { name: 'Balance' }).textContent).toContain('30');
      server.answer({ [BALANCE]: balance(0) });
      act(() => refreshCredits('now'));
      await pass(3_600_000);
      expect(server.count(BALANCE)).toBe(3);
    });
  });

  it.each([
    ['deduction', 1000],
    ['refund', 2000],
    ['now', 0],
  ] as const)(
    '[F4.29, F9.08] fetches balance, rows and count again after a refresh for "%s", %i ms later',
    async (after, ms) => {
      const server = fakeServer({ [BALANCE]: balance(30), [ROWS]: [creditTransaction()], [COUNT]: 1 });
      await renderPage(page, '/credits');
      const counts = (): number[] => [BALANCE, ROWS, COUNT].map(server.count);
      expect(counts()).toEqual([1, 1, 1]);
      act(() => refreshCredits(after));
      if (ms > 0) {
        await pass(ms - 1);
        expect(counts()).toEqual([1, 1, 1]);
      }
      await pass(1);
      expect(counts()).toEqual([2, 2, 2]);
    },
  );

  it('reads a known balance again ten seconds after a failed read, until one succeeds', async () => {
    const server = fakeServer({ [BALANCE]: balance(30), [ROWS]: [creditTransaction()], [COUNT]: 1 });
    await renderPage(page, '/credits');
    server.answer({ [BALANCE]: refusal(500, 'Broken') });
    act(() => refreshCredits('now'));
    await pass(9_999);
    expect(server.count(BALANCE)).toBe(2);
    server.answer({ [BALANCE]: balance(20) });
    await pass(2);
    expect(screen.getByRole('region', { name: 'Balance' }).textContent).toContain('20');
    await pass(3_600_000);
    expect(server.count(BALANCE)).toBe(3);
  });

  it('fetches the balance again when the window gets the focus back', async () => {
    const server = fakeServer({ [BALANCE]: balance(30), [ROWS]: [creditTransaction()], [COUNT]: 1 });
    await renderPage(page, '/credits');
    await pass(60_000);
    act(() => focusManager.setFocused(false));
    act(() => focusManager.setFocused(true));
    await pass(0);
    expect([server.count(BALANCE), server.count(ROWS)]).toEqual([2, 1]);
  });

  describe('[F4.27] daily credits', () => {
    const GRANT = 'grant_daily_credits_by_jwt';
    const FAILED = "Today's free credits could not be added.";
    const granted = { success: true, credits_granted: 10 };
    const today = (total: number) => ({ ...balance(total), daily_credits_last_granted: '2026-12-30' });
    /** The page in a frame that asks for the credits. */
    function Framed(): React.ReactNode {
      useDailyGrant('user_1');
      return page;
    }
    /** Opens the page for a person whose balance shows no credits of today. */
    const open = async (answers: object) => {
      jest.spyOn(console, 'warn').mockReturnValue(undefined);
      const server = fakeServer({ [BALANCE]: balance(30), [ROWS]: [creditTransaction()], [COUNT]: 1, ...answers });
      await renderPage(<Framed />, '/credits');
      await pass(10);
      return server;
    };
    const total = (): string | null => screen.getByRole('region', { name: 'Balance' }).textContent;

    it('shows a failed grant with a retry, and the balance after the retry', async () => {
      const server = await open({});
      expect(screen.getByText(FAILED)).toBeTruthy();
      await press('Try again');
      expect(screen.getByText(FAILED)).toBeTruthy();
      server.answer({ [GRANT]: granted, [BALANCE]: today(40) });
      await press('Try again');
      expect(screen.queryByText(FAILED)).toBeNull();
      expect(total()).toContain('40');
      expect(server.count(GRANT)).toBe(3);
    });

    it('shows the credits of an earlier request whose answer was lost', async () => {
      await open({ [GRANT]: { success: true, credits_granted: 0 }, [BALANCE]: answersOf(balance(30), today(40)) });
      expect(total()).toContain('40');
    });

    it('shows no failure when the credits were granted and only the answer was lost', async () => {
      await open({ [GRANT]: lost, [BALANCE]: answersOf(balance(30), today(40)) });
      expect(screen.queryByText(FAILED)).toBeNull();
      expect(total()).toContain('40');
    });

    it('asks for nothing when they are granted', async () => {
      const server = await open({ [BALANCE]: today(40) });
      await pass(3_600_000);
      expect(server.count(GRANT)).toBe(0);
      expect(screen.queryByText(FAILED)).toBeNull();
    });
  });

  it('[F2.63] shows the history with its five columns, twenty rows a page', async () => {
    window.matchMedia = (media) =>
      ({ media, matches: true, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
    const server = fakeServer({
      [BALANCE]: balance(30),
      [ROWS]: [
        creditTransaction(),
        creditTransaction({ id: 't2', transaction_type: 'daily_grant', amount: 10, balance_after: 30 }),
      ],
      [COUNT]: 41,
    });
    await renderPage(page, '/credits');
    const table = screen.getByRole('table');
    expect(textsOf(within(table).getAllByRole('columnheader'))).toEqual([
      'Date',
      'Description',
      'Type',
      'Amount',
      'Balance',
    ]);
    const cells = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((line) => textsOf(within(line).getAllByRole('cell')).slice(1));
    expect(cells).toEqual([
      ['Image generation', 'Generation', '−10', '20'],
      ['Image generation', 'Daily', '+10', '30'],
    ]);
    expect(server.calls.find(({ name }) => name === ROWS)?.body).toEqual({ page_size: 20, page_number: 1 });
    expect(screen.getByText('Page 1 of 3')).toBeTruthy();
    await press('Next', 0);
    expect(server.calls.filter(({ name }) => name === ROWS).at(-1)?.body).toEqual({ page_size: 20, page_number: 2 });
    expect(screen.getByText('Page 2 of 3')).toBeTruthy();
  });

  it('shows no pager for a single page of history', async () => {
    fakeServer({ [BALANCE]: balance(30), [ROWS]: [creditTransaction()], [COUNT]: 20 });
    await renderPage(page, '/credits');
    expect(screen.getAllByText('Image generation')).not.toHaveLength(0);
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
  });

  it('shows the picture that the credits made, and no pager for a single page', async () => {
    const image = { url: '/media/x/384.webp', width: 384, height: 384, thumbhash: '', sources: [] };
    const server = fakeServer({
      [BALANCE]: balance(30),
      [ROWS]: [
        creditTransaction(),
        creditTransaction({ id: 't2', reference_id: 'g2' }),
        creditTransaction({ id: 't3', transaction_type: 'refund', amount: 10 }),
      ],
      [COUNT]: 3,
      get_own_generation_images_by_jwt: [{ id: 'g1', image }],
    });
    await renderPage(page, '/credits');
    await pass(10);
    expect(server.calls.find(({ name }) => name === 'get_own_generation_images_by_jwt')?.body).toEqual({
      p_generation_ids: ['g1', 'g2'],
    });
    // Only the finished one has a picture, and its refund has none.
    expect([...document.querySelectorAll('li img, tr img')].map((img) => img.getAttribute('src'))).toEqual([image.url]);
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
  });
});
