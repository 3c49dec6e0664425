import { afterEach, describe, expect, it, jest } from '@jest/globals';

async function expectsSignedIn(cookie: string): Promise<boolean> {
  document.cookie = cookie;
  jest.resetModules();
  const { viewer } = await import('./auth.js');
  return viewer().expectSignedIn;
}

describe('session cookie', () => {
  afterEach(() => {
    for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=0`;
  });

  it.each(['__session=eyJ', '__session_Ab-9_c=eyJ', '__client_uat=1700000000', '__client_uat_Ab9=1700000000'])(
    'expects a signed-in person with %s',
    async (cookie) => {
      expect(await expectsSignedIn(cookie)).toBe(true);
    },
  );

  it.each(['__client_uat=0', '__client_uat_Ab9=0', '__session=', 'theme__session=1', 'other=1'])(
    'expects a visitor with %s',
    async (cookie) => {
      expect(await expectsSignedIn(cookie)).toBe(false);
    },
  );
});
