import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { reportSession, viewer, type ViewerUser } from '../../lib/auth.js';
import { queryClient } from '../../lib/query.js';
import { leaving, watchSession } from './watch-session.js';

const ada = { id: 'user_1' } as ViewerUser;

/** The channel between tabs, without its delay. */
class FakeChannel extends EventTarget {
  static readonly open = new Set<FakeChannel>();
  constructor() {
    super();
    FakeChannel.open.add(this);
  }
  postMessage(data: unknown): void {
    for (const other of FakeChannel.open)
      if (other !== this) other.dispatchEvent(Object.assign(new Event('message'), { data }));
  }
  close(): void {
    FakeChannel.open.delete(this);
  }
}

describe('watchSession', () => {
  /** The person of the session; null after its end. */
  let person: ViewerUser | null;
  let reachable: boolean;
  let stop: () => void;
  const ask = jest.fn<() => Promise<void>>();
  const report = (): void =>
    reportSession({ user: person, getToken: () => Promise.resolve('token'), signOut: () => Promise.resolve(), ask });
  const status = () => viewer().status;
  const show = (persisted: boolean): void => {
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
  };

  beforeEach(() => {
    jest.useFakeTimers();
    Object.assign(globalThis, { BroadcastChannel: FakeChannel });
    person = ada;
    reachable = true;
    ask.mockReset().mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (!reachable) throw new Error('no network');
      report();
    });
    report();
    stop = watchSession();
  });
  afterEach(() => {
    stop();
    queryClient.clear();
    jest.useRealTimers();
  });

  it('asks first when the back button restores the page', async () => {
    show(true);
    expect(status()).toBe('loading');
    await jest.advanceTimersByTimeAsync(100);
    expect(status()).toBe('signed-in');
    person = null;
    show(true);
    await jest.advanceTimersByTimeAsync(100);
    expect(status()).toBe('signed-out');
  });

  it('asks again and again while the identity provider cannot be reached', async () => {
    reachable = false;
    show(true);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(status()).toBe('loading');
    reachable = true;
    await jest.advanceTimersByTimeAsync(10_100);
    expect(status()).toBe('signed-in');
  });

  it('leaves a page alone that was loaded', () => {
    show(false);
    expect(status()).toBe('signed-in');
  });

  describe('sign-out in another tab', () => {
    /** Sends to this tab what it has sent to the others. */
    const tellBack = (): void => {
      const other = new FakeChannel();
      other.addEventListener('message', (event) => {
        const { tab, state } = (event as MessageEvent<{ tab: number; state: string }>).data;
        if (tab > 0) other.postMessage({ tab: -1, state });
      });
    };
    afterEach(() => FakeChannel.open.clear());

    it('drops token and data at once, and then asks', async () => {
      tellBack();
      queryClient.setQueryData(['credits', 'user_1'], 40);
      let signedOut = (): void => undefined;
      const end = leaving(() => new Promise((resolve) => (signedOut = resolve)));
      expect([status(), queryClient.getQueryData(['credits', 'user_1'])]).toEqual(['loading', undefined]);
      person = null;
      signedOut();
      await end;
      await jest.advanceTimersByTimeAsync(100);
      expect(status()).toBe('signed-out');
    });

    it('goes on when that sign-out has failed', async () => {
      tellBack();
      await expect(leaving(() => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
      expect(status()).toBe('loading');
      await jest.advanceTimersByTimeAsync(100);
      expect(status()).toBe('signed-in');
    });
  });

  it('keeps the page of its own sign-out until the identity SDK opens the next one', async () => {
    await leaving(() => Promise.resolve());
    expect([status(), ask.mock.calls]).toEqual(['signed-in', []]);
  });

  it('notices within 15 seconds that another device has ended the session, and at once when the tab comes into sight', async () => {
    await jest.advanceTimersByTimeAsync(14_900);
    expect(ask).not.toHaveBeenCalled();
    person = null;
    await jest.advanceTimersByTimeAsync(200);
    expect(status()).toBe('signed-out');
    person = ada;
    report();
    person = null;
    document.dispatchEvent(new Event('visibilitychange'));
    await jest.advanceTimersByTimeAsync(100);
    expect(status()).toBe('signed-out');
  });
});
