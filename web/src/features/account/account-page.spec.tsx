import { describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import type { AccountClosing, ClosingReceipt } from '../../../../src/contract/closing.js';
import {
  accessibilityFaults,
  fakeServer,
  lost,
  never,
  pass,
  refusal,
  renderPage,
  type Answers,
  press,
  onPage,
  textsOf,
} from '../../../test/page.js';
import { EMPTY_ACCOUNT, FAN } from '../../../test/rows.js';
import { reportSession } from '../../lib/auth.js';
import { refreshRpc } from '../../lib/use-rpc.js';
import AccountPage from './account-page.js';

const PREVIEW = 'get_account_closing';
const CLOSE = 'close_account';

const RICH: AccountClosing = {
  ...EMPTY_ACCOUNT,
  paid_credits: 120,
  paid_cents: 1200,
  purchases: [
    { session_id: 'cs_1', bundle_id: 'basic', credits: 20, refund_cents: 200 },
    { session_id: 'cs_2', bundle_id: 'basic', credits: 100, refund_cents: 1000 },
  ],
  free_credits: 40,
  pending_images: 1,
  creator: { id: 'c1', username: 'adafan', name: 'Ada Fan' },
};
const RECEIPT: ClosingReceipt = {
  closure_id: '0193-closure',
  status: 'running',
  requested_by: 'person',
  choice: 'waive',
  requested_at: '2026-11-22T10:00:00.000Z',
  finished_at: null,
  steps: [{ step: 'hide', state: 'done', done_at: '2026-11-22T10:00:00.000Z', counts: [] }],
};
const CLOSED = { success: true, receipt_token: 't0ken', receipt: RECEIPT };

describe('account page', () => {
  const signOut = jest.fn((_redirectTo?: string) => Promise.resolve());
  onPage(() => {
    signOut.mockClear();
    const session = {
      user: FAN,
      getToken: () => Promise.resolve('token'),
      signOut,
      ask: () => Promise.resolve(),
    };
    act(() => reportSession(session));
  });

  const open = async (answers: Answers) => {
    const server = fakeServer(answers);
    const router = await renderPage(<AccountPage />, '/account');
    return { server, router };
  };
  const type = (text: string): void => {
    fireEvent.change(screen.getByRole('textbox'), { target: { value: text } });
  };
  const submit = async (): Promise<void> => {
    fireEvent.submit(screen.getByRole('textbox').closest('form')!);
    await pass(10);
  };

  it('shows a suspension with its reason and the way to appeal', async () => {
    const suspension = { until: '2026-12-03T09:00:00.000Z', since: '2026-11-03T09:00:00.000Z', reason: 'Insults' };
    fakeServer({ [PREVIEW]: EMPTY_ACCOUNT, get_own_suspension_by_jwt: suspension });
    await renderPage(<AccountPage />, '/account');
    await pass(10);
    expect(screen.getByText('Your account cannot generate images until 3 December 2026.')).toBeTruthy();
    expect(screen.getByText('Reason: Insults')).toBeTruthy();
    expect(screen.getByText(/^If you think this is a mistake, write to support/)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows who is signed in, and what is loading', async () => {
    await open({ [PREVIEW]: never });
    expect(screen.getByText('Ada Fan')).toBeTruthy();
    expect(screen.getByText('ada@fanvas.example')).toBeTruthy();
    expect(screen.getByText('Loading your account')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows that the preview failed, and loads it again', async () => {
    const { server } = await open({ [PREVIEW]: refusal(403, 'No.') });
    expect(textsOf(screen.getAllByRole('alert')).join()).toContain('Nothing was changed.');
    server.answer({ [PREVIEW]: EMPTY_ACCOUNT });
    await press('Retry');
    expect(screen.getByRole('button', { name: 'Close my account' })).toBeTruthy();
  });

  it('offers no choice when there is nothing to refund', async () => {
    const { server, router } = await open({ [PREVIEW]: EMPTY_ACCOUNT, [CLOSE]: CLOSED });
    expect(screen.queryByRole('radio')).toBeNull();
    expect(screen.queryByText(/free credits lapse|in progress|creator page/)).toBeNull();
    await press('Close my account');
    type(' close ');
    await submit();
    expect(server.bodies(CLOSE)).toEqual([{ p_choice: 'refund', p_confirmation: 'CLOSE' }]);
    expect(router.state.location).toMatchObject({ pathname: '/closed-account', hash: '#t0ken' });
  });

  it('states the consequences for this account, without accessibility faults', async () => {
    await open({ [PREVIEW]: RICH });
    const text = screen.getByRole('region', { name: 'Close your account' }).textContent ?? '';
    for (const words of [
      '1 image in progress is cancelled first',
      'Your 40 free credits lapse',
      '120 unspent purchased credits, worth $12.00',
      '100 credits of one purchase: $10.00',
      'Your creator page @adafan is withdrawn',
      'kept for 7 years',
    ]) {
      expect(text).toContain(words);
    }
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('sends the choice that was made, also when no purchased credits are left to ask about', async () => {
    const { server } = await open({ [PREVIEW]: RICH, [CLOSE]: CLOSED });
    fireEvent.click(screen.getByRole('radio', { name: /Give them up/ }));
    server.answer({ [PREVIEW]: EMPTY_ACCOUNT });
    refreshRpc(PREVIEW);
    await pass(10);
    expect(screen.queryByRole('radio')).toBeNull();
    await press('Close my account');
    type('CLOSE');
    await submit();
    expect(server.bodies(CLOSE)).toEqual([{ p_choice: 'waive', p_confirmation: 'CLOSE' }]);
  });

  it('closes the account with the chosen fate of the credits, once, and ends the session', async () => {
    window.localStorage.setItem('fanvas.draft', 'A fox');
    const { server, router } = await open({ [PREVIEW]: RICH, [CLOSE]: CLOSED });
    fireEvent.click(screen.getByRole('radio', { name: /Give them up/ }));
    await press('Close my account');
    const dialog = within(screen.getByRole('alertdialog'));
    expect(dialog.getByText(/Your purchased credits are given up/)).toBeTruthy();
    type('CLOSE');
    fireEvent.submit(screen.getByRole('textbox').closest('form')!);
    await submit();
    expect(server.bodies(CLOSE)).toEqual([{ p_choice: 'waive', p_confirmation: 'CLOSE' }]);
    expect(router.state.location).toMatchObject({ pathname: '/closed-account', hash: '#t0ken' });
    expect(signOut.mock.calls).toEqual([['/closed-account#t0ken']]);
    expect(window.localStorage.getItem('fanvas.draft')).toBeNull();
  });

  it('asks for the word again when it is wrong', async () => {
    const { server } = await open({ [PREVIEW]: RICH });
    await press('Close my account');
    type('yes');
    await submit();
    expect(screen.getByText(/Type CLOSE to confirm that you want/).getAttribute('role')).toBe('alert');
    expect(document.activeElement).toBe(screen.getByRole('textbox'));
    expect(server.bodies(CLOSE)).toEqual([]);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('returns the focus to the button when the person keeps the account', async () => {
    await open({ [PREVIEW]: RICH });
    const opener = screen.getByRole('button', { name: 'Close my account' });
    opener.focus();
    await press('Close my account');
    expect(document.activeElement).toBe(screen.getByRole('textbox'));
    await press('Keep my account');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(document.activeElement).toBe(opener);
  });

  it('shows why closing failed, and closes on another attempt', async () => {
    const { server, router } = await open({ [PREVIEW]: RICH, [CLOSE]: lost });
    await press('Close my account');
    type('CLOSE');
    await submit();
    expect(screen.getByText(/Connection error/)).toBeTruthy();
    expect(signOut).not.toHaveBeenCalled();
    server.answer({ [CLOSE]: CLOSED });
    await submit();
    expect(router.state.location.pathname).toBe('/closed-account');
  });

  it('shows a closure that is running already, and opens its receipt', async () => {
    const { server, router } = await open({ [PREVIEW]: { ...RICH, closure: RECEIPT }, [CLOSE]: CLOSED });
    expect(screen.getByText(/Your account is being closed/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Close my account' })).toBeNull();
    await press('Show my receipt');
    expect(server.bodies(CLOSE)).toEqual([{ p_choice: 'waive', p_confirmation: 'CLOSE' }]);
    expect(router.state.location.hash).toBe('#t0ken');
  });
});

describe('export of one’s own data', () => {
  const saved: string[] = [];

  onPage(() => {
    saved.length = 0;
    // jsdom has neither
    Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined });
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
  });

  /** Opens the page; every download is answered by `answer`. */
  const open = async (answer: (init: RequestInit) => Promise<Response>): Promise<void> => {
    fakeServer({ [PREVIEW]: EMPTY_ACCOUNT });
    const others = globalThis.fetch;
    globalThis.fetch = (input, init) => (input === '/exports/my-data.zip' ? answer(init ?? {}) : others(input, init));
    await renderPage(<AccountPage />, '/account');
  };
  const archive = (): Response =>
    new Response('x'.repeat(2_500_000), {
      headers: { 'content-disposition': 'attachment; filename="fanvas-data-2026-11-22.zip"' },
    });

  it('saves the archive under its name', async () => {
    let headers: HeadersInit | undefined;
    await open((init) => {
      ({ headers } = init);
      return Promise.resolve(archive());
    });
    await press('Download my data');
    await pass(100);
    expect(saved).toEqual(['fanvas-data-2026-11-22.zip']);
    expect(headers).toEqual({ authorization: 'Bearer token' });
    expect(screen.getByRole('status').textContent).toBe('Done: 2.5 MB saved. Look in your downloads.');
  });

  it('shows a refusal, and tries again', async () => {
    let limited = true;
    await open(() =>
      Promise.resolve(
        limited ? Response.json({ code: 'P0001', message: 'Five times in 24 hours.' }, { status: 429 }) : archive(),
      ),
    );
    await press('Download my data');
    expect(screen.getByText(/could not be downloaded. Five times in 24 hours./).getAttribute('role')).toBe('alert');
    expect(saved).toEqual([]);
    limited = false;
    await press('Try again');
    await pass(100);
    expect(saved).toHaveLength(1);
  });

  it('saves nothing when the connection breaks midway', async () => {
    await open(() => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('PK'));
        },
        pull: (controller) => controller.error(new TypeError('terminated')),
      });
      return Promise.resolve(new Response(body));
    });
    await press('Download my data');
    await pass(100);
    expect(screen.getByText(/could not be downloaded. Connection error/)).toBeTruthy();
    expect(saved).toEqual([]);
  });

  it('ends when the person cancels it', async () => {
    await open(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
        }),
    );
    await press('Download my data');
    expect(await screen.findByText('0.0 MB received')).toBeTruthy();
    await press('Cancel');
    expect(screen.getByRole('button', { name: 'Download my data' })).toBeTruthy();
    expect(screen.queryByText(/could not be downloaded/)).toBeNull();
  });
});
