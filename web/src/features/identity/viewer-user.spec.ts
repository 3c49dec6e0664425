import { describe, expect, it } from '@jest/globals';
import { viewerUserOf } from './viewer-user.js';

const ada = {
  id: 'user_1',
  fullName: 'Ada Byron',
  firstName: 'Ada',
  lastName: 'Byron',
  imageUrl: 'http://localhost/ada.png',
  hasImage: true,
  primaryEmailAddress: { emailAddress: 'ada@example.com' },
  createdAt: new Date('2026-11-20T10:00:00Z'),
  unsafeMetadata: { name: 'Ada' },
};

describe('viewerUserOf', () => {
  it('[F3.14] keeps id, names, picture, primary e-mail, age of the account and sign-up details only', () => {
    const known = { ...ada, publicMetadata: { roles: ['admin'] } };
    expect(viewerUserOf(known)).toEqual({
      id: 'user_1',
      fullName: 'Ada Byron',
      firstName: 'Ada',
      lastName: 'Byron',
      imageUrl: 'http://localhost/ada.png',
      email: 'ada@example.com',
      createdAt: new Date('2026-11-20T10:00:00Z'),
      metadata: { name: 'Ada' },
    });
    expect(viewerUserOf({ ...ada, primaryEmailAddress: null }).email).toBeNull();
  });

  it('leaves out the drawing that the provider makes for a person without a picture', () => {
    expect(viewerUserOf({ ...ada, hasImage: false }).imageUrl).toBeNull();
  });
});
