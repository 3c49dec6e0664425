import { describe, expect, it } from '@jest/globals';
import type { OwnCreator } from '../../../../src/contract/creators.js';
import { ApiError } from '../../lib/api-error.js';
import { SaidError } from '../../lib/problem-of.js';
import { acceptanceLog, acceptanceProblem, creatorToMake, flowOf, refusedTo } from './acceptance.js';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const record = (fields: Partial<OwnCreator> = {}) => ({
  creator_status: 'active',
  reapply_at: null,
  withdrawn_at: null,
  ...fields,
});
const arrival = (flowType: 'new_user' | 'existing_user' | 'existing_creator' | null, userId: string | null = null) => ({
  flowType,
  userId,
});
const guarded = { viewerId: 'user_1', creator: null, termsAccepted: false, now: NOW };

describe('guard of the terms', () => {
  it.each([
    ['nobody without a flow type', { arrival: arrival(null) }, null],
    ['a new user', { arrival: arrival('new_user', 'user_1') }, 'new_user'],
    ['nobody with the state of another account', { arrival: arrival('new_user', 'user_2') }, null],
    ['a person who applies', { arrival: arrival('existing_user') }, 'existing_user'],
    ['no creator flow without a record', { arrival: arrival('existing_creator') }, null],
    [
      'a creator without the acceptance',
      { arrival: arrival('existing_creator'), creator: record() },
      'existing_creator',
    ],
    [
      'a person whose record was made meanwhile, as a creator',
      { arrival: arrival('existing_user'), creator: record() },
      'existing_creator',
    ],
    ['no creator who has accepted', { arrival: arrival('new_user'), creator: record(), termsAccepted: true }, null],
    [
      'a creator who withdrew',
      {
        arrival: arrival('existing_creator'),
        creator: record({ withdrawn_at: '2026-11-20T00:00:00Z' }),
        termsAccepted: true,
      },
      'existing_creator',
    ],
    [
      'a rejected person who may apply again',
      {
        arrival: arrival('existing_user'),
        creator: record({ creator_status: 'rejected', reapply_at: '2026-11-22T12:00:00Z' }),
        termsAccepted: true,
      },
      'existing_user',
    ],
    [
      'no rejected person before that day',
      {
        arrival: arrival('existing_user'),
        creator: record({ creator_status: 'rejected', reapply_at: '2026-11-22T12:00:01Z' }),
        termsAccepted: true,
      },
      null,
    ],
  ] as const)('[C2.31] lets in %s', (_, changes, expected) => {
    expect(flowOf({ ...guarded, ...changes })).toBe(expected);
  });

  it('[C4.13] sends new and existing users to the portal, and creators to the home page, who do not accept now', () => {
    expect((['new_user', 'existing_user', 'existing_creator'] as const).map(refusedTo)).toEqual([
      '/creator',
      '/creator',
      '/',
    ]);
  });
});

describe('acceptance of the terms', () => {
  const given = {
    flowType: 'existing_user',
    clerkId: 'user_1',
    email: 'nadia@fanvas.example',
    formData: { name: ' Nadia Voss ', instagram: ' @nadia.voss ' },
    metadata: {},
    creator: null,
  } as const;
  const made = {
    p_email: 'nadia@fanvas.example',
    p_name: 'Nadia Voss',
    p_instagram: '@nadia.voss',
    p_terms_agreed: true,
  };

  it('makes a creator from the application, and from the metadata of a new account', () => {
    expect(creatorToMake(given)).toEqual(made);
    const metadata = { name: 'Nadia Voss', instagram: '@nadia.voss' };
    expect(creatorToMake({ ...given, flowType: 'new_user', formData: null, metadata })).toEqual(made);
  });

  it('makes none for a creator with a record', () => {
    expect(creatorToMake({ ...given, flowType: 'existing_creator', creator: { id: 'c1' } })).toBeNull();
  });

  it.each([
    [{ flowType: null }, 'Missing required'],
    [{ clerkId: null }, 'Authentication'],
    [{ email: '' }, 'Authentication'],
    [{ formData: null }, 'Missing required creator data fields'],
    [{ formData: { name: '  ', instagram: '@n' } }, 'Missing required creator data fields'],
    [{ formData: { name: 'N', instagram: 'n' } }, 'Instagram handle must start with @'],
    [{ email: 'nadia' }, 'A valid email is required'],
    [{ flowType: 'existing_creator' }, 'Missing required creator data fields'],
    [{ flowType: 'new_user', formData: null }, 'Missing required creator data fields'],
  ] as const)('[C5.08] refuses %j', (changes, message) => {
    expect(() => creatorToMake({ ...given, ...changes })).toThrow(message);
  });

  it('[C3.04, C5.06, C9.13] logs version, address, method and the words that were confirmed', () => {
    const log = {
      userId: 'user_1',
      email: 'n@v.example',
      now: new Date(NOW),
      origin: 'https://fanvas.example',
      userAgent: '',
    };
    expect(acceptanceLog(log)).toMatchObject({
      user_id: 'user_1',
      email: 'n@v.example',
      accepted_at: '2026-11-22T12:00:00.000Z',
      terms_version: 'v1.0',
      terms_url: 'https://fanvas.example/creator-terms',
      method_of_acceptance: 'creator_application_form',
      user_agent: 'unknown',
    });
    expect(acceptanceLog(log).accepted_text_snapshot).toContain('Creator Terms of Use v1.0');
    expect(() => acceptanceLog({ ...log, userId: ' ' })).toThrow('Missing required');
    expect(() => acceptanceLog({ ...log, email: 'n' })).toThrow('email');
  });

  it.each([
    ['Rate limit exceeded. Please try again in 5 seconds.', 'Too many requests. Please wait a moment and try again.'],
    ['Authentication required', 'Authentication error. Please refresh the page and try again.'],
    ['Missing required creator data fields', 'Missing required information. Please go back and complete the form.'],
    ['This handle is taken', 'This handle is taken'],
    ['', 'An error occurred while processing your acceptance. Please try again.'],
  ])('[C8.01, C8.02, C8.03, C8.04] shows for %p: %s', (message, shown) => {
    expect(acceptanceProblem(new SaidError(message))).toBe(shown);
    expect(acceptanceProblem(new ApiError(400, 'x', message))).toBe(shown);
  });

  it.each([new TypeError('Failed to fetch'), new Error('Authentication'), 'Authentication', null])(
    '[C8.04] shows no words of the browser or of a library: %s',
    (error) => {
      expect(acceptanceProblem(error)).toBe('An error occurred while processing your acceptance. Please try again.');
    },
  );
});
