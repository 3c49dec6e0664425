import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isReservedSegment, RESERVED_SEGMENTS } from '../contract/paths.js';
import { usernameCandidates, usernameFor } from './usernames.js';

describe('usernameFor', () => {
  it.each([
    ['@junoabara', 0, 'junoabara'],
    ['@Juno.Abara_', 0, 'juno.abara_'],
    ['@junoabara', 1, 'junoabara-2'],
    ['@admin', 0, 'admin-2'],
    ['@admin', 1, 'admin-3'],
    ['@__clerk', 0, 'clerk'],
    ['@sign-in', 0, 'sign-in-2'],
    ['@é', 0, 'e'],
    ['@日本', 0, 'artist'],
    ['@name.', 0, 'name'],
  ])('turns %s, attempt %i, into %s', (handle, attempt, username) => {
    expect(usernameFor(handle, attempt)).toBe(username);
  });

  it('never returns a reserved name or one that the database refuses', () => {
    const reservedHandle = fc.constantFrom(...RESERVED_SEGMENTS);
    fc.assert(
      fc.property(fc.oneof(fc.string(), reservedHandle), fc.nat({ max: 99 }), (handle, attempt) => {
        const username = usernameFor(`@${handle}`, attempt);
        expect(isReservedSegment(username)).toBe(false);
        expect(username).toMatch(/^[a-z0-9][a-z0-9_.-]{0,49}$/);
      }),
    );
  });

  it('returns a different name for each attempt', () => {
    fc.assert(
      fc.property(fc.string(), (handle) => {
        const names = Array.from({ length: 20 }, (_, attempt) => usernameFor(handle, attempt));
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
});

describe('usernameCandidates', () => {
  it('begins with the handle, and continues with numbers', () => {
    expect(usernameCandidates('@juno').slice(0, 3)).toEqual(['juno', 'juno-2', 'juno-3']);
    expect(usernameCandidates('@admin')[0]).toBe('admin-2');
  });

  it('gives handles that differ only in case the same names', () => {
    expect(usernameCandidates('@Juno')).toEqual(usernameCandidates('@juno'));
  });
});
