import { describe, expect, it } from '@jest/globals';
import { readCreditEvent } from './events.js';
import { upcast, UnreadableEventError, type Upcasters } from './upcast.js';

/** Invented versions: the first has a name, the second splits it, the third counts visits. */
const NEWEST = { GuestArrived: 3, GuestLeft: 1 };
const UPCASTERS: Upcasters = {
  GuestArrived: {
    1: ({ name }) => ({ first: String(name).split(' ')[0], last: String(name).split(' ')[1] }),
    2: (data) => ({ ...data, visits: 1 }),
  },
};
const read = (type: string, data: object): object => upcast({ type, data }, NEWEST, UPCASTERS).data;

describe('upcast', () => {
  it('converts an old version to the newest step by step', () => {
    expect(read('GuestArrived', { schemaVersion: 1, name: 'Ada Byron' })).toEqual({
      schemaVersion: 3,
      first: 'Ada',
      last: 'Byron',
      visits: 1,
    });
    expect(read('GuestArrived', { schemaVersion: 2, first: 'Ada', last: 'Byron' })).toMatchObject({ visits: 1 });
  });

  it.each(['CreditsDeducted', 'DeductionSettled'])('reads version 1 of %s as the image of another user', (type) => {
    const data = { schemaVersion: 1, deductionId: 'g1', creatorId: 'creator_1', amount: 0, allocations: [] };
    expect(readCreditEvent({ type, data }).data).toMatchObject({ deductionId: 'g1', ownGeneration: false });
  });

  it('reads version 2 of DeductionSettled as an image that no hash fixes', () => {
    const data = {
      schemaVersion: 2,
      deductionId: 'g1',
      creatorId: 'c',
      ownGeneration: true,
      amount: 0,
      allocations: [],
    };
    const expected = { ...data, schemaVersion: 3, imageHash: null, promptHash: null };
    expect(readCreditEvent({ type: 'DeductionSettled', data }).data).toEqual(expected);
  });

  it('returns an event of the newest version unchanged', () => {
    const stored = { type: 'GuestLeft', data: { schemaVersion: 1 } };
    expect(upcast(stored, NEWEST, UPCASTERS)).toBe(stored);
  });

  it('does not change the stored event and keeps its other fields', () => {
    const stored = Object.freeze({
      type: 'GuestArrived',
      version: 7,
      data: Object.freeze({ schemaVersion: 2, first: 'Ada' }),
    });
    expect(upcast(stored, NEWEST, UPCASTERS)).toEqual({
      type: 'GuestArrived',
      version: 7,
      data: { schemaVersion: 3, first: 'Ada', visits: 1 },
    });
  });

  it.each([
    ['an unknown type', 'GuestVanished', { schemaVersion: 1 }],
    ['a type that is a name of every object', 'constructor', { schemaVersion: 1 }],
    ['a version that a newer program wrote', 'GuestArrived', { schemaVersion: 4 }],
    ['a version that never existed', 'GuestArrived', { schemaVersion: 0 }],
    ['a version that is not a number', 'GuestArrived', { schemaVersion: '1' }],
    ['no version', 'GuestArrived', {}],
    ['an unknown type without a version', 'GuestVanished', {}],
  ])('rejects %s', (_, type, data) => {
    expect(() => read(type, data)).toThrow(UnreadableEventError);
  });

  it('names the type and the version that it cannot read', () => {
    expect(new UnreadableEventError('GuestArrived', 4)).toMatchObject({
      name: 'UnreadableEventError',
      message: 'Event GuestArrived of schema version 4 is not known to this version of the program.',
    });
  });

  it('rejects a version when an upcaster is missing', () => {
    expect(() => upcast({ type: 'GuestLeft', data: { schemaVersion: 1 } }, { GuestLeft: 2 }, UPCASTERS)).toThrow(
      UnreadableEventError,
    );
  });

  it('rejects unknown types and versions of account events', () => {
    expect(() => readCreditEvent({ type: 'CreditsGranted', data: { schemaVersion: 2 } })).toThrow(UnreadableEventError);
    expect(() => readCreditEvent({ type: 'CreditsTeleported', data: { schemaVersion: 1 } })).toThrow(
      UnreadableEventError,
    );
  });
});
