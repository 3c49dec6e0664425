import { describe, expect, it } from '@jest/globals';
import { DEFAULT_CREDIT_SETTINGS } from '../../credits/account/constants.js';
import { grantDailyCredits, repairClock } from '../../credits/account/decide.js';
import { type ClockRepaired, type CreditEvent } from '../../credits/account/events.js';
import { emptyAccount, evolve } from '../../credits/account/state.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { eventHash } from '../../platform/event-store/hash-chain.js';
import { type JsonObject } from '../../platform/json.js';
import { AccountAudit, type LedgerProblem } from './account-audit.js';
import { EventTimes } from './event-times.js';
import { chargeMismatch, type Charge } from './generation-charges.js';

const STREAM = 'creditAccount-fan';
const NOW = new Date('2026-03-10T09:00:00Z');
const AHEAD = new Date('2026-04-19T09:00:00Z');
const ADMIN = 'admin_1';

/** Daily grants of today and of a day ahead, and the repair; with `change` made to the repair. */
function repairedHistory(change: Partial<ClockRepaired> = {}, actorId = ADMIN, repairedAt = NOW): StoredEvent[] {
  const state = emptyAccount();
  const events: { event: CreditEvent; at: Date; actorId: string }[] = [];
  const add = (decided: readonly CreditEvent[], at: Date, actor: string): void => {
    for (const event of decided) {
      evolve(state, event, at);
      events.push({ event, at, actorId: actor });
    }
  };
  for (const at of [NOW, AHEAD]) add(grantDailyCredits(state, at, DEFAULT_CREDIT_SETTINGS, 'due'), at, 'fan');
  const repair = { reason: 'Clock', grantedDays: ['2026-03-10', '2026-04-19'] };
  const repairs = repairClock(repair, state, NOW).map((event) => ({ ...event, data: { ...event.data, ...change } }));
  add(repairs as CreditEvent[], repairedAt, actorId);
  add(grantDailyCredits(state, new Date('2026-03-11T09:00:00Z'), DEFAULT_CREDIT_SETTINGS, 'due'), NOW, 'fan');
  let hash: string | null = null;
  return events.map(({ event: { type, data: given }, at, actorId: actor }, version) => {
    const id = `019cd6b8-1c00-7000-8000-${String(version).padStart(12, '0')}`;
    const data = given as JsonObject;
    const metadata: JsonObject = { actorId: actor, eventId: id, occurredAt: at.toISOString() };
    hash = eventHash(hash, { stream: STREAM, version, id, type, data, metadata });
    return { stream: STREAM, version, id, type, data, metadata: { ...metadata, hash }, position: '', recordedAt: NOW };
  });
}

function audit(events: readonly StoredEvent[]): { audit: AccountAudit; problems: LedgerProblem[] } {
  const problems: LedgerProblem[] = [];
  const account = new AccountAudit(STREAM, (problem) => problems.push(problem));
  for (const event of events) account.add(event);
  account.end();
  return { audit: account, problems };
}

describe('AccountAudit of a repaired account', () => {
  it('accepts the one step back of a repair, and names its admin', () => {
    const { audit: account, problems } = audit(repairedHistory().slice(0, 5));
    expect(problems).toEqual([]);
    expect(account.repairs).toEqual([
      { version: 4, at: NOW.getTime(), aheadUntil: AHEAD.getTime(), actorId: ADMIN, reason: 'Clock' },
    ]);
  });

  it.each<[string, StoredEvent[], string]>([
    ['another time than the account has', repairedHistory({ aheadUntil: '2026-04-20T00:00:00.000Z' }), 'another time'],
    ['a step ahead', repairedHistory({}, ADMIN, new Date('2026-05-01T00:00:00Z')), 'sets it ahead'],
    ['no admin', repairedHistory({}, 'system'), 'names no admin'],
    ['another last daily grant', repairedHistory({ lastDailyGrant: null }), 'other daily grants'],
    ['fewer days granted ahead', repairedHistory({ grantedAhead: [] }), 'other daily grants'],
  ])('reports a repair with %s', (_case, events, words) => {
    expect(audit(events).problems).toContainEqual(
      expect.objectContaining({ version: 4, kind: 'event', what: expect.stringContaining(words) }),
    );
  });

  it('lists lapses by their time, and not in the order of the grants', () => {
    const { audit: account } = audit(repairedHistory());
    const lapses = account.lots.lapsing(NOW.getTime(), AHEAD.getTime() + 86_400_000);
    expect(lapses.map(({ lotId }) => lotId)).toEqual(['daily:2026-03-11', 'daily:2026-04-19']);
  });

  it('reports a step back without a repair', () => {
    const { length } = repairedHistory();
    const last = repairedHistory().at(-1)!;
    const events = [...repairedHistory().slice(0, 4), { ...last, version: 4 }];
    expect(length).toBe(6);
    expect(audit(events).problems.map(({ what: sentence }) => sentence)).toContain(
      'The event occurred before the previous one.',
    );
  });
});

describe('EventTimes', () => {
  const check = (events: readonly StoredEvent[], now = NOW): { problems: LedgerProblem[]; covered: unknown[] } => {
    const problems: LedgerProblem[] = [];
    const covered: unknown[] = [];
    const times = new EventTimes(
      STREAM,
      () => now,
      (problem) => problems.push(problem),
      (version) => version === 0,
    );
    const account = new AccountAudit(STREAM, () => undefined);
    for (const event of events) {
      account.add(event);
      times.add(event);
      if (event.type === 'ClockRepaired') covered.push(times.repair(account.repairs.at(-1)!).repaired);
    }
    times.end();
    return { problems, covered };
  };

  it('names events from the future and their gap to the recording until a repair follows', () => {
    const events = repairedHistory();
    const { problems } = check(events.slice(0, 4));
    expect(problems.map(({ version, kind }) => `${kind} ${version}`)).toEqual(['time 2', 'time 2', 'time 3', 'time 3']);
    expect(check(events.slice(0, 5))).toEqual({ problems: [], covered: [{ from: 2, to: 3 }] });
  });

  it('names the gap of an event from the future when that time has come', () => {
    const { problems } = check(repairedHistory().slice(0, 4), new Date('2026-05-01T00:00:00Z'));
    expect(problems).toHaveLength(2);
    expect(problems[0]?.what).toContain('and the store recorded it at');
  });

  it('names an event that is older than its recording, unless an import names it', () => {
    const old = repairedHistory()
      .slice(0, 2)
      .map((event) => ({ ...event, recordedAt: new Date('2026-03-10T10:00:00Z') }));
    expect(check(old).problems).toEqual([expect.objectContaining({ version: 1, kind: 'time' })]);
  });
});

describe('chargeMismatch of a repaired account', () => {
  const deductionId = '019cd6b8-1c00-7000-8000-000000000001';
  const charge: Charge = {
    userId: 'fan',
    deductionId,
    creatorId: 'c',
    amount: 10,
    state: 'nothing',
    creatorUserId: null,
    isTest: false,
    trialIsLogged: null,
    content: null,
    closedAt: Date.parse('2026-03-10T10:00:00Z'),
  };
  const aheadUntil = AHEAD.getTime();

  it('accepts an id that was refused as too old before the repair', () => {
    expect(chargeMismatch(charge, undefined)).toContain('failed before its deduction');
    const repair = { at: Date.parse('2026-03-10T11:00:00Z'), aheadUntil };
    expect(chargeMismatch(charge, undefined, [repair])).toBeNull();
  });

  it('names an id from after the repair', () => {
    const repair = { at: Date.parse('2026-03-10T07:00:00Z'), aheadUntil };
    expect(chargeMismatch(charge, undefined, [repair])).toContain('failed before its deduction');
  });
});
