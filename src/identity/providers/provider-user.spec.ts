import { type UserJSON } from '@clerk/backend';
import { describe, expect, it } from '@jest/globals';
import { readProviderUser, readRoles } from './provider-user.js';

const user = {
  id: 'user_1',
  email_addresses: [
    { id: 'idn_1', email_address: 'old@example.com' },
    { id: 'idn_2', email_address: 'new@example.com' },
  ],
  primary_email_address_id: 'idn_2',
  first_name: 'Mira',
  last_name: null,
  image_url: '',
  public_metadata: { roles: ['admin'] },
  private_metadata: { roles: ['finance'] },
  unsafe_metadata: { roles: ['auditor'] },
  updated_at: 1_700_000_000_000,
} as unknown as UserJSON;

describe('readProviderUser', () => {
  it('keeps the primary address, the name, and the roles of the public metadata alone', () => {
    expect(readProviderUser(user)).toEqual({
      id: 'user_1',
      email: 'new@example.com',
      name: 'Mira',
      imageUrl: null,
      roles: ['admin'],
      updatedAt: new Date(1_700_000_000_000),
    });
  });

  it('joins the first and the last name by a space', () => {
    expect(readProviderUser({ ...user, last_name: 'Lind' }).name).toBe('Mira Lind');
  });

  it('has no email for a user without a primary address', () => {
    expect(readProviderUser({ ...user, primary_email_address_id: null }).email).toBeNull();
  });

  it('has no name for a user who gave none', () => {
    expect(readProviderUser({ ...user, first_name: null }).name).toBeNull();
  });
});

describe('readRoles', () => {
  it('takes the known roles of a list, each once', () => {
    expect(readRoles(['finance', 'king', 'finance', 7, 'admin'])).toEqual(['finance', 'admin']);
  });

  it.each([['admin'], [{ admin: true }], [true], [null], [undefined]])('takes nothing from %j', (value) => {
    expect(readRoles(value)).toEqual([]);
  });
});
