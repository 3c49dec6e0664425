import { describe, expect, it, jest } from '@jest/globals';
import { reportIdentityUnavailable, reportSession, viewer, viewerUserOf, whenSettled } from './auth.js';

// Without browser storage, each use of it logs a warning.
jest.spyOn(console, 'warn').mockReturnValue(undefined);

const ada = {
  id: 'user_1',
  fullName: 'Ada Byron',
  firstName: 'Ada',
  lastName: 'Byron',
  imageUrl: 'http://localhost/ada.png',
  primaryEmailAddress: { emailAddress: 'ada@example.com' },
};
const session = { getToken: () => Promise.resolve('token'), signOut: () => Promise.resolve() };

describe('viewer', () => {
  it('[F3.14] keeps id, names, picture and primary e-mail only', () => {
    const known = { ...ada, publicMetadata: { roles: ['admin'] } };
    expect(viewerUserOf(known)).toEqual({
      id: 'user_1',
      fullName: 'Ada Byron',
      firstName: 'Ada',
      lastName: 'Byron',
      imageUrl: 'http://localhost/ada.png',
      email: 'ada@example.com',
    });
    expect(viewerUserOf({ ...ada, primaryEmailAddress: null }).email).toBeNull();
  });

  it('reports loading at first, and lets callers wait for the identity SDK', async () => {
    expect(viewer().status).toBe('loading');
    const token = viewer().getToken();
    const settled = whenSettled();
    reportSession({ user: viewerUserOf(ada), ...session });
    await settled;
    await expect(token).resolves.toBe('token');
    expect(viewer()).toMatchObject({ status: 'signed-in', user: { id: 'user_1' } });
  });

  it('reports a visitor after a sign-out, and without the identity SDK', async () => {
    reportSession({ user: null, ...session });
    expect(viewer()).toMatchObject({ status: 'signed-out', user: null, unavailable: false });
    reportIdentityUnavailable();
    expect(viewer()).toMatchObject({ status: 'signed-out', unavailable: true });
    await expect(viewer().getToken()).resolves.toBeNull();
  });
});
