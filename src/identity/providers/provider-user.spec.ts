import { type UserJSON } from '@clerk/backend';
import { describe, expect, it } from '@jest/globals';
import { readProviderUser, readRoles } from './provider-user.js';

const user = {
  id: 'user_1',
  email_addresses: [
    { id: 'idn_1', email_address: 'old@example.com', verification: { status: 'unverified' } },
    { id: 'idn_2', email_address: 'new@example.com', verification: { status: 'verified' } },
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
  it('returns the primary address, the name, and only the roles of the public metadata', () => {
    expect(readProviderUser(user)).toEqual({
      id: 'user_1',
      email: 'new@example.com',
      emailVerified: true,
      name: 'Mira',
      imageUrl: null,
      roles: ['admin'],
      updatedAt: new Date(1_700_000_000_000),
    });
  });

  it('joins the first and the last name with a space', () => {
    expect(readProviderUser({ ...user, last_name: 'Lind' }).name).toBe('Mira Lind');
  });

  it('returns null as the email of a user without a primary address', () => {
    const found = readProviderUser({ ...user, primary_email_address_id: null });
    expect(found).toMatchObject({ email: null, emailVerified: false });
  });

  it.each([null, { status: 'unverified' }, { status: 'expired' }, { status: 'transferable' }])(
    'returns an address with the verification %j as not verified',
    (verification) => {
      const addresses = [{ id: 'idn_2', email_address: 'new@example.com', verification }];
      const unverified = { ...user, email_addresses: addresses } as unknown as UserJSON;
      expect(readProviderUser(unverified).emailVerified).toBe(false);
    },
  );

  it('returns null as the name of a user without names', () => {
    expect(readProviderUser({ ...user, first_name: null }).name).toBeNull();
  });
});

describe('the name of a person without first and last name', () => {
  const signUp = { isCreator: true, signupSource: 'creator_portal', name: 'Juno Abara' };
  const nameOf = (metadata: unknown, names: object = {}): string | null =>
    readProviderUser({ ...user, first_name: null, ...names, unsafe_metadata: metadata } as unknown as UserJSON).name;

  it('equals the one that was given on the creator sign-up page', () => {
    expect(nameOf(signUp)).toBe('Juno Abara');
    expect(nameOf({ ...signUp, name: '  Juno\u202e\n Abara ' })).toBe('Juno Abara');
    expect(nameOf({ ...signUp, name: 'x'.repeat(5_000) })).toHaveLength(100);
  });

  it('does not replace a first or last name', () => {
    expect(nameOf(signUp, { last_name: 'Lind' })).toBe('Lind');
  });

  it.each([
    undefined,
    {},
    { name: 'Juno' },
    { ...signUp, isCreator: 'true' },
    { ...signUp, signupSource: 'elsewhere' },
    { ...signUp, name: ' ' },
    { ...signUp, name: { first: 'Juno' } },
  ])('stays empty with the metadata %j', (metadata) => {
    expect(nameOf(metadata)).toBeNull();
  });
});

describe('readRoles', () => {
  it('returns the known roles of a list without duplicates', () => {
    expect(readRoles(['finance', 'king', 'finance', 7, 'admin'])).toEqual(['finance', 'admin']);
  });

  it.each([['admin'], [{ admin: true }], [true], [null], [undefined]])('returns no roles for %j', (value) => {
    expect(readRoles(value)).toEqual([]);
  });
});
