import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type * as Auth from './auth.js';

// Without browser storage, each use of it logs a warning.
jest.spyOn(console, 'warn').mockReturnValue(undefined);

const ada = {
  id: 'user_1',
  fullName: 'Ada Byron',
  firstName: 'Ada',
  lastName: 'Byron',
  imageUrl: 'http://localhost/ada.png',
  email: 'ada@example.com',
  createdAt: new Date('2026-11-20T10:00:00Z'),
  metadata: { name: 'Ada' },
};
const session = { getToken: () => Promise.resolve('token'), signOut: () => Promise.resolve() };

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
    auth.reportSession({ user: ada, ...session });
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

  it('reports a visitor after a sign-out, and without the identity SDK', async () => {
    auth.reportSession({ user: null, ...session });
    expect(auth.viewer()).toMatchObject({ status: 'signed-out', user: null, unavailable: false });
    auth.reportIdentityUnavailable();
    expect(auth.viewer()).toMatchObject({ status: 'signed-out', unavailable: true });
    await expect(auth.viewer().getToken()).resolves.toBeNull();
  });
});
