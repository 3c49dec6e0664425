import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type * as Auth from './auth.js';
import { FAN } from '../../test/rows.js';

// Without browser storage, each use of it logs a warning.
jest.spyOn(console, 'warn').mockReturnValue(undefined);

const session = {
  getToken: () => Promise.resolve('token'),
  signOut: () => Promise.resolve(),
  ask: () => Promise.resolve(),
};

describe('viewer', () => {
  let auth: typeof Auth;

  // The module holds the session: each test begins without one.
  beforeEach(async () => {
    jest.resetModules();
    auth = await import('./auth.js');
  });

  it('reports loading at first, and lets callers wait for the identity SDK', async () => {
    expect(auth.viewer().status).toBe('loading');
    const token = auth.viewer().getToken();
    const settled = auth.whenSettled();
    auth.reportSession({ user: FAN, ...session });
    await settled;
    await expect(token).resolves.toBe('token');
    expect(auth.viewer()).toMatchObject({ status: 'signed-in', user: { id: 'user_1' } });
  });

  it('loads the identity SDK for a caller that waits, also when the loader is set later', () => {
    const load = jest.fn();
    const remove = auth.loadIdentityWith(load);
    expect(load).not.toHaveBeenCalled();
    void auth.whenSettled();
    expect(load).toHaveBeenCalledTimes(1);
    remove();
    const later = jest.fn();
    auth.loadIdentityWith(later);
    expect(later).toHaveBeenCalledTimes(1);
    auth.reportSession({ user: null, ...session });
    void auth.whenSettled();
    expect(later).toHaveBeenCalledTimes(1);
  });

  it('reports a visitor after a sign-out', async () => {
    auth.reportSession({ user: null, ...session, getToken: () => Promise.resolve(null) });
    expect(auth.viewer()).toMatchObject({ status: 'signed-out', user: null });
    await expect(auth.viewer().getToken()).resolves.toBeNull();
  });

  it('lets an act of a person wait for 15 seconds, and a request until the identity SDK answers', async () => {
    jest.useFakeTimers();
    const acted = jest.fn();
    const requested = jest.fn();
    void auth.whenSettled().then(acted);
    void auth.viewer().getToken().then(requested);
    await jest.advanceTimersByTimeAsync(14_900);
    expect(acted).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(100);
    expect(acted).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([auth.viewer().status, requested.mock.calls]).toEqual(['loading', []]);
    auth.reportSession({ user: FAN, ...session });
    await jest.advanceTimersByTimeAsync(0);
    expect(requested).toHaveBeenCalledWith('token');
    jest.useRealTimers();
  });

  it('shows nothing of a person in doubt, and gives no token until the session is reported again', async () => {
    auth.reportSession({ user: FAN, ...session });
    auth.doubtSession();
    expect(auth.viewer()).toMatchObject({ status: 'loading', user: null, expectSignedIn: false });
    const token = auth.viewer().getToken();
    auth.reportSession({ user: null, ...session, getToken: () => Promise.resolve(null) });
    await expect(token).resolves.toBeNull();
    auth.doubtSession();
    expect(auth.viewer().status).toBe('signed-out');
  });
});
