import { describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { DAY_MS } from '../../contract/durations.js';
import {
  bonusPart,
  bought,
  dailyPart,
  deducted,
  granted,
  IMAGE,
  MIDNIGHT,
  MORNING,
  refunded,
} from '../../../test/support/credit-events.js';
import { DEDUCTION_MEMORY_DAYS } from './constants.js';
import { accountStream, type CreditEvent } from './events.js';
import {
  type AccountState,
  DeductionNotLoadedError,
  emptyAccount,
  endedDeduction,
  evolve,
  isClosed,
  timeOfEvents,
} from './state.js';

const NEXT_MIDNIGHT = '2026-03-12T00:00:00.000Z';
const DAILY = granted();
const NEXT_DAILY = granted({ lotId: 'daily:2026-03-11', expiresAt: NEXT_MIDNIGHT });
const BONUS = granted({ lotId: 'b', kind: 'bonus', source: 'admin', amount: 5, expiresAt: null });
const REPAIR: CreditEvent = {
  type: 'ClockRepaired',
  data: { schemaVersion: 1, aheadUntil: NEXT_MIDNIGHT, lastDailyGrant: null, grantedAhead: [], reason: 'A clock' },
};

/** The account after these events, all at one instant. */
function after(...events: readonly CreditEvent[]): AccountState {
  return events.reduce((state, event) => evolve(state, event, MORNING), emptyAccount());
}

describe('evolve', () => {
  it.each([
    ['more credits than a lot has', dailyPart(11)],
    ['credits of a lot that does not exist', { ...dailyPart(1), lotId: 'daily:2026-03-09' }],
    ['credits of a lot with another expiry', dailyPart(1, NEXT_MIDNIGHT)],
  ])('refuses a stream that takes %s', (_case, allocation) => {
    const { amount, lotId } = allocation;
    expect(() => after(DAILY, deducted([allocation]))).toThrow(
      `The stream takes ${amount} credits that lot ${lotId} does not hold.`,
    );
  });

  it('takes the whole rest of a lot', () => {
    expect(after(DAILY, deducted([dailyPart(10)])).lots).toEqual([]);
  });

  it('refuses a reversal of a purchase that the stream does not hold', () => {
    const data = { schemaVersion: 1, lotId: 'cs_1', reversalId: 're_1', cause: 'refund' } as const;
    const reversed: CreditEvent = {
      type: 'PurchaseReversed',
      data: { ...data, amountCents: 100, revoked: 10, debt: 0 },
    };
    expect(() => after(reversed)).toThrow('The stream refers to purchase cs_1, which it does not hold.');
  });

  it('refuses to reinstate a reversal that the stream does not hold', () => {
    const data = { schemaVersion: 1, lotId: 'cs_1', reversalId: 're_1', amount: 0 } as const;
    expect(() => after(bought(), { type: 'PurchaseReinstated', data })).toThrow(
      'The stream reinstates reversal re_1, which it does not hold.',
    );
  });

  it('returns refunded credits to the positions of their lots', () => {
    const ofBonus = bonusPart(5, 'b');
    const taken = deducted([dailyPart(10), ofBonus]);
    const state = after(DAILY, BONUS, bought(), taken, refunded([ofBonus, dailyPart(10)]));
    expect(state.lots.map(({ lotId, remaining }) => [lotId, remaining])).toEqual([
      ['daily:2026-03-10', 10],
      ['b', 5],
      ['cs_1', 100],
    ]);
  });

  it('puts refunded credits without a known position behind all lots', () => {
    const state = after(DAILY, BONUS, refunded([dailyPart(3, NEXT_MIDNIGHT)]));
    expect(state.lots.map(({ remaining }) => remaining)).toEqual([10, 5, 3]);
  });

  it('keeps refunded credits with another expiry apart from their lot', () => {
    const state = after(DAILY, deducted([dailyPart(4)]), refunded([dailyPart(4, NEXT_MIDNIGHT)]));
    expect(state.lots.map(({ remaining, expiresAt }) => [remaining, expiresAt])).toEqual([
      [6, Date.parse(MIDNIGHT)],
      [4, Date.parse(NEXT_MIDNIGHT)],
    ]);
  });

  it('keeps the latest day of a daily grant, also when an earlier one follows', () => {
    expect(after(NEXT_DAILY, DAILY).lastDailyGrant).toBe('2026-03-11');
    expect(after(DAILY, NEXT_DAILY).lastDailyGrant).toBe('2026-03-11');
  });

  it('keeps the time of the account when an event is earlier, and sets it back for a repair', () => {
    const earlier = new Date(MORNING.getTime() - 1000);
    expect(evolve(after(DAILY), BONUS, earlier).lastEventAt).toBe(MORNING.getTime());
    expect(evolve(after(DAILY), REPAIR, earlier).lastEventAt).toBe(earlier.getTime());
  });
});

describe('timeOfEvents', () => {
  it('returns the time of the account, but now for events with a repair', () => {
    const state = after(DAILY);
    const earlier = new Date(MORNING.getTime() - 1000);
    expect(timeOfEvents(state, earlier, [BONUS])).toBe(MORNING.getTime());
    expect(timeOfEvents(state, earlier, [REPAIR, BONUS])).toBe(earlier.getTime());
  });
});

describe('isClosed', () => {
  const at = MORNING.getTime();
  const old = v7({ msecs: at - DEDUCTION_MEMORY_DAYS * DAY_MS - 1 });

  it('closes a UUIDv7 that is older than the memory, in both cases of its letters', () => {
    expect([isClosed(old, at), isClosed(old.toUpperCase(), at)]).toEqual([true, true]);
    expect(isClosed(v7({ msecs: at - DEDUCTION_MEMORY_DAYS * DAY_MS }), at)).toBe(false);
  });

  it.each([
    ['with a text before a UUIDv7', `x${old}`],
    ['with a text behind a UUIDv7', `${old}x`],
    ['without a UUIDv7', 'g1'],
  ])('keeps an id %s open, because it carries no time', (_case, id) => {
    expect(isClosed(id, at)).toBe(false);
  });
});

describe('endedDeduction', () => {
  const OMITTED = 'd5';

  it.each(['d4', OMITTED])('asks for the full stream when a snapshot may have omitted the end of %s', (id) => {
    const state = { ...after(DAILY), omittedEndedUpTo: OMITTED };
    expect(() => endedDeduction(state, id)).toThrow(new DeductionNotLoadedError(id));
    expect(new DeductionNotLoadedError(id)).toMatchObject({
      name: 'DeductionNotLoadedError',
      message: `The snapshot does not contain whether deduction ${id} has ended.`,
    });
  });

  it('says that a deduction above the omitted ones, or an open one, has not ended', () => {
    const state = { ...after(DAILY, deducted([dailyPart(1)])), omittedEndedUpTo: 'd5' };
    expect(endedDeduction(state, 'd6')).toBeUndefined();
    expect(endedDeduction(state, IMAGE)).toBeUndefined();
  });

  it('returns an end that the snapshot contains, also below the omitted ones', () => {
    const state = { ...after(DAILY, deducted([dailyPart(1)]), refunded([dailyPart(1)])), omittedEndedUpTo: 'd5' };
    expect(endedDeduction(state, IMAGE)).toMatchObject({ outcome: 'refunded', amount: 1 });
  });

  it('says that an unknown deduction has not ended when the snapshot is complete', () => {
    expect(endedDeduction(after(DAILY), 'd4')).toBeUndefined();
  });
});

describe('accountStream', () => {
  it('has the prefix that stored events have', () => {
    expect(accountStream('user_1')).toBe('creditAccount-user_1');
  });
});
