import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { readVerificationState } from '../../src/audit/continuous/verification-state.js';
import { verifyNewEvents } from '../../src/audit/continuous/verify-new-events.js';
import { type LedgerProblem } from '../../src/audit/index.js';
import { accountStream } from '../../src/credits/index.js';
import {
  earningEventId,
  earningsStream,
  type EarningPosted,
  readEarningEvent,
} from '../../src/finance/earnings/events.js';
import { NO_STREAM, type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { Locks } from '../../src/platform/locks.js';
import { appendForged, chained, chainedHistory } from '../support/forged-events.js';
import { accountCommands, accountHistory } from '../support/account-histories.js';
import { CrashingFaultPoints } from '../support/crashing-fault-points.js';
import { asOwner } from '../support/database.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { adoptPolicy } from '../support/policy.js';

jest.setTimeout(120_000);

const CREATOR = 'creator_1';
const OTHER = 'creator_2';

let ledger: LedgerApp;
/** Each test has its own fan, because the ledger keeps accounts in memory. */
let fan = '';
let fans = 0;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  fan = `fan-${(fans += 1)}`;
  await ledger.clear();
  await adoptPolicy(ledger.eventStore, ledger.clock);
});

/** Lets every caller run at once, as after the loss of the connection that held the lock. */
class NoLocks extends Locks {
  override withLock<T>(_name: string, run: (lost: AbortSignal) => Promise<T>): Promise<T | undefined> {
    return run(new AbortController().signal);
  }
}

const sql = async (text: string, values: unknown[] = []): Promise<never[]> =>
  (await asOwner(ledger.database).query(text, values)).rows as never[];

/** The problems an hour later, when all shares must be recorded. The purchases of these tests have no checkouts. */
async function problems(): Promise<LedgerProblem[]> {
  const all = await ledger.verify(new Date(ledger.clock.now().getTime() + 3_600_000));
  return all.filter(({ kind }) => kind !== 'payment');
}

async function recorded(creator = CREATOR): Promise<readonly EarningPosted[]> {
  const events = await ledger.eventStore.readStream(earningsStream(creator));
  return events.map((event) => readEarningEvent(event).data);
}

/** The shares of creators, by creator, US cents: as the books say, and as their streams do. */
async function sums(): Promise<{ readonly books: Record<string, number>; readonly streams: Record<string, number> }> {
  const rows: { creator_id: string; cents: number; shares: number }[] = await sql(
    `select creator_id, -sum(cents)::int as cents, count(*)::int as shares from book_entry
     where account = 2100 group by creator_id`,
  );
  const streams: Record<string, number> = {};
  for (const { creator_id: creator, shares } of rows) {
    const events = await recorded(creator);
    expect(events).toHaveLength(shares);
    expect(new Set(events.map(({ reference }) => reference)).size).toBe(shares);
    streams[creator] = events.reduce((sum, { cents }) => sum + cents, 0);
  }
  return { books: Object.fromEntries(rows.map(({ creator_id: id, cents }) => [id, cents])), streams };
}

/** A purchase that is used up, charged back, and whose debt another purchase pays. */
async function chargeback(user = fan): Promise<void> {
  await ledger.purchase(user, `cs_1_${user}`, 60);
  await ledger.generation(user, 'delivered', 45);
  await ledger.generation(user, 'delivered', 15, { creatorId: OTHER, ownGeneration: false });
  await ledger.reverse(user, `cs_1_${user}`, 60);
  await ledger.purchase(user, `cs_2_${user}`, 60);
}

describe('EarningPoster', () => {
  it('records an earning, what a chargeback takes back, and what a repaid debt restores', async () => {
    await chargeback();
    await ledger.project();
    const kinds = (await recorded()).map(({ kind, cents }) => [kind, cents]);
    expect(kinds).toEqual([
      ['earning', 75],
      ['correction', -75],
      ['restoration', 75],
    ]);
    const { books, streams } = await sums();
    expect(streams).toEqual(books);
    expect(await problems()).toEqual([]);
  });

  it('names neither the fan nor the purchase, the image, the reversal or the price', async () => {
    await chargeback();
    await ledger.project();
    const events = await ledger.eventStore.readStream(earningsStream(CREATOR));
    const [source] = await ledger.eventStore.readStream(accountStream(fan), { fromVersion: 3, limit: 1 });
    expect(source?.type).toBe('DeductionSettled');
    const { id, data, metadata } = source as StoredEvent;
    const secrets = [id, data['deductionId'], metadata['correlationId'], metadata['causationId'], metadata['hash']];
    const text = JSON.stringify(events);
    for (const secret of [...secrets, fan, 'cs_1', 'cs_2', 're_of']) {
      expect(typeof secret).toBe('string');
      expect(text).not.toContain(secret);
    }
    const fields = ['cents', 'earnedAt', 'kind', 'payableAt', 'reference', 'schemaVersion'];
    for (const { data: posted, metadata: about } of events) {
      expect(Object.keys(posted).sort()).toEqual(fields);
      expect(about).toMatchObject({ actorId: 'system' });
    }
    const [first] = await recorded();
    expect(first?.reference).toBe(createHash('sha256').update(`${id} 0`).digest('hex'));
  });

  it('records nothing before the books have the event', async () => {
    await chargeback();
    await ledger.earningPoster().runOnce();
    expect(await recorded()).toEqual([]);
    await ledger.project();
    await ledger.earningPoster().runOnce();
    expect(await recorded()).toHaveLength(3);
  });

  it('continues behind what it has recorded, at the time of writing', async () => {
    await ledger.purchase(fan, 'cs_1', 60);
    await ledger.generation(fan, 'delivered', 40);
    await ledger.project();
    ledger.clock.advance(3_600_000);
    await ledger.generation(fan, 'delivered', 10);
    ledger.clock.advance(60_000);
    await ledger.project();
    const events = await ledger.eventStore.readStream(earningsStream(CREATOR));
    expect(events.map(({ metadata }) => metadata['occurredAt'])).toEqual([
      '2026-03-10T09:00:00.000Z',
      '2026-03-10T10:01:00.000Z',
    ]);
    expect((await recorded()).map(({ earnedAt, payableAt }) => [earnedAt, payableAt])).toEqual([
      ['2026-03-10T09:00:00.000Z', '2026-04-09T09:00:00.000Z'],
      ['2026-03-10T10:00:00.000Z', '2026-04-09T10:00:00.000Z'],
    ]);
    expect(await problems()).toEqual([]);
  });

  it('records a page once that a crash interrupts before its position is stored', async () => {
    await chargeback();
    await ledger.catchUp();
    const faults = new CrashingFaultPoints<'earnings.page-appended'>();
    faults.crashAt('earnings.page-appended');
    await expect(ledger.earningPoster(faults).runOnce()).rejects.toThrow('The process ends');
    expect(await recorded()).toHaveLength(3);
    await ledger.generation(fan, 'delivered', 5);
    await ledger.project();
    expect(await recorded()).toHaveLength(4);
    expect(await problems()).toEqual([]);
  });

  it('records each share once when several workers run at the same time without the lock', async () => {
    for (let other = 0; other < 8; other += 1) await chargeback(`${fan}-${other}`);
    await ledger.catchUp();
    const locks = new NoLocks(ledger.database.pool);
    await Promise.all([1, 2, 3, 4].map(() => ledger.earningPoster(undefined, locks).runOnce()));
    await ledger.project();
    const { books, streams } = await sums();
    expect(streams).toEqual(books);
    expect(await problems()).toEqual([]);
  });

  it('goes on with other creators while the stream of one ends in the future', async () => {
    const earn = async (user: string, creatorId: string): Promise<void> => {
      await ledger.purchase(user, `cs_${user}`, 60);
      await ledger.generation(user, 'delivered', 45, { creatorId, ownGeneration: false });
    };
    // The clocks of the app and of the database are ahead.
    ledger.clock.advance(3_600_000);
    await earn(fan, CREATOR);
    await ledger.project();
    ledger.clock.advance(-3_600_000);
    await earn(`${fan}-2`, CREATOR);
    await earn(`${fan}-3`, OTHER);
    await earn(`${fan}-4`, CREATOR);
    for (let run = 0; run < 2; run += 1) {
      await expect(ledger.project()).rejects.toThrow(`refused the earnings of 1 creators, such as ${CREATOR}.`);
      expect([await recorded(), await recorded(OTHER)]).toMatchObject([{ length: 1 }, { length: 1 }]);
    }
    ledger.clock.advance(3_600_000);
    await ledger.project();
    expect([await recorded(), await recorded(OTHER)]).toMatchObject([{ length: 3 }, { length: 1 }]);
    expect((await problems()).filter(({ kind }) => kind === 'earning')).toEqual([]);
  });

  it.each([
    ['its position', 'delete from earning_position'],
    ['what it knows of the streams', 'delete from earning_head'],
    ['both', 'delete from earning_head; delete from earning_position'],
  ])('records nothing twice when %s is lost', async (_case, statement) => {
    await chargeback();
    await ledger.project();
    await sql(statement);
    await ledger.project();
    await ledger.generation(fan, 'delivered', 5);
    await ledger.project();
    expect(await recorded()).toHaveLength(4);
    expect(await problems()).toEqual([]);
  });

  it('compares all earnings again when the store was restored to before its position', async () => {
    await ledger.purchase(fan, 'cs_1', 60);
    await ledger.generation(fan, 'delivered', 40);
    await ledger.project();
    await sql(`update earning_position set version = 900, event_id = $1`, [randomUUID()]);
    await ledger.generation(fan, 'delivered', 10);
    await ledger.project();
    expect(await recorded()).toHaveLength(2);
    expect(await problems()).toEqual([]);
  });

  it('records again what the restored store has lost', async () => {
    await chargeback();
    await ledger.project();
    const before = await recorded();
    await sql('delete from event where stream = $1 and version = 2', [earningsStream(CREATOR)]);
    await ledger.project();
    expect(await recorded()).toEqual(before);
    expect(await problems()).toEqual([]);
  });

  it('makes streams whose sums are the balances of creators, for any history and in any pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(accountCommands, { minLength: 1, maxLength: 3 }),
        fc.nat(40),
        async (histories, split) => {
          await ledger.clear();
          await adoptPolicy(ledger.eventStore, ledger.clock);
          ledger.clock.set(new Date('2040-01-01T00:00:00Z'));
          for (const [index, commands] of histories.entries()) {
            const events = chainedHistory(`user_${index}`, accountHistory(commands));
            const first = events.slice(0, split);
            const second = events.slice(split);
            const stream = accountStream(`user_${index}`);
            if (first.length > 0) await ledger.eventStore.append(stream, NO_STREAM, first);
            await ledger.project();
            if (second.length > 0) await ledger.eventStore.append(stream, first.length - 1, second);
          }
          await ledger.project();
          const { books, streams } = await sums();
          expect(streams).toEqual(books);
          const ofStreams = (await problems()).filter(({ kind }) => kind === 'earning' || kind === 'event');
          expect(ofStreams).toEqual([]);
        },
      ),
      { numRuns: 6, seed: 20261124 },
    );
  });
});

describe('verify of the streams of earnings', () => {
  type Forged = Pick<StoredEvent, 'id' | 'type' | 'data' | 'metadata'>;
  const MINE = earningsStream(CREATOR);
  const THEIRS = earningsStream(OTHER);

  /** Replaces a stream, with a chain that holds. */
  async function forge(stream: string, change: (events: Forged[]) => Forged[]): Promise<void> {
    const events = change(await ledger.eventStore.readStream(stream));
    await sql('delete from event where stream = $1', [stream]);
    const made = chained(
      events.map(({ id, type, data, metadata: before }, version) => {
        const metadata = { ...before, eventId: id };
        return { stream, version, id, type, data, metadata };
      }),
    );
    if (made.length > 0) await ledger.eventStore.append(stream, NO_STREAM, made);
  }
  const set = (index: number, fields: object) => (events: Forged[]) =>
    events.map((event, at) => (at === index ? { ...event, data: { ...event.data, ...fields } } : event));

  const found = async (): Promise<LedgerProblem[]> => (await problems()).filter(({ kind }) => kind === 'earning');
  const sentences = async (): Promise<string[]> =>
    (await found()).map(({ stream, version, what: sentence }) => `${stream} @ ${version}: ${sentence}`);

  beforeEach(async () => {
    await chargeback();
    await ledger.project();
  });

  it('finds nothing in what the worker wrote', async () => {
    expect(await found()).toEqual([]);
  });

  it('names a share that is not recorded, once it is 15 minutes old', async () => {
    await forge(MINE, (events) => events.slice(0, 2));
    expect((await ledger.verify()).filter(({ kind }) => kind === 'earning')).toEqual([]);
    expect(await sentences()).toEqual([
      `${MINE} @ null: The share of event 8 of creditAccount-${fan} is not recorded.`,
    ]);
  });

  it('names every share of a creator whose stream is missing', async () => {
    await forge(MINE, () => []);
    expect(await sentences()).toHaveLength(3);
  });

  it('names a share that is recorded twice', async () => {
    await forge(MINE, (events) => [...events, { ...(events[0] as Forged), id: v7() }]);
    expect(await sentences()).toEqual([
      `${MINE} @ 3: The id of the event does not follow from its reference.`,
      `${MINE} @ 3: The share is recorded a second time.`,
    ]);
  });

  it.each<[string, object, string]>([
    ['cents', { cents: 76 }, 'The record has cents 76, but the events give 75.'],
    ['earnedAt', { earnedAt: '2026-03-10T08:00:00.000Z' }, 'The record has earnedAt 2026-03-10T08:00:00.000Z'],
    ['payableAt', { payableAt: '2026-03-11T09:00:00.000Z' }, 'The record has payableAt 2026-03-11T09:00:00.000Z'],
    ['kind', { kind: 'restoration' }, 'The record has kind restoration, but the events give earning.'],
    ['reference', { reference: 'a'.repeat(64) }, 'No event of an account makes this share.'],
  ])('names a record whose %s was changed', async (_field, fields, sentence) => {
    await forge(MINE, set(0, fields));
    expect((await sentences()).join('\n')).toContain(`${MINE} @ 0: ${sentence}`);
  });

  it('names a record with a field that may identify a fan', async () => {
    await forge(MINE, set(1, { userId: 'fan' }));
    expect(await sentences()).toEqual([`${MINE} @ 1: The record of a share has other fields than it must have.`]);
  });

  it('names an invented record, and one in the stream of another creator', async () => {
    const [own] = await ledger.eventStore.readStream(MINE);
    await forge(MINE, (events) => events.slice(1));
    await forge(THEIRS, (events) => [...events, own as Forged]);
    const places = (await sentences()).sort();
    expect(places).toEqual([
      `${MINE} @ null: The share of event 3 of creditAccount-${fan} is not recorded.`,
      `${THEIRS} @ 3: No event of an account makes this share.`,
    ]);
  });

  it('names creators if the books have other shares than the events make', async () => {
    await sql('update book_entry set cents = cents - 100 where account = 2100 and reversal_id is null');
    await forge(MINE, set(0, { cents: 175 }));
    await forge(THEIRS, set(0, { cents: 175 }));
    expect((await found()).map(({ stream }) => stream).sort()).toEqual([MINE, THEIRS]);
  });

  describe('the continuous verification of earnings', () => {
    /** Verifies the new events. @returns the known problems of the streams of earnings */
    const verifyNew = async (): Promise<string[]> => {
      const { pool } = ledger.database;
      await verifyNewEvents(
        { pool, eventStore: ledger.eventStore },
        { now: () => ledger.clock.now(), maxEvents: 1000 },
      );
      const { first } = await readVerificationState(pool, 50);
      return first
        .filter(({ stream }) => stream === MINE || stream === THEIRS)
        .map(({ stream, version, what: sentence }) => `${stream} @ ${version}: ${sentence}`);
    };
    const verifiedVersion = async (): Promise<number | undefined> => {
      const [row] = (await sql('select version from verified_stream where stream = $1', [MINE])) as {
        version: number;
      }[];
      return row?.version;
    };
    /** Appends a record that follows the rules of the stream, as someone with the password of the database could. */
    const append = async (fields: object): Promise<void> => {
      const events = await ledger.eventStore.readStream(MINE);
      const last = events.at(-1) as StoredEvent;
      const reference = createHash('sha256').update(v7()).digest('hex');
      const data = { ...last.data, reference, ...fields };
      const id = earningEventId({ type: 'EarningPosted', data: data as EarningPosted });
      const metadata = { ...last.metadata, occurredAt: ledger.clock.now().toISOString() };
      await appendForged(ledger.eventStore, last, { id, type: last.type, data, metadata });
    };

    it('verifies new records from the last verified one on, and finds nothing on a clean day', async () => {
      expect(await verifyNew()).toEqual([]);
      expect(await verifiedVersion()).toBe(2);
      await ledger.generation(fan, 'delivered', 5);
      await ledger.project();
      expect(await verifyNew()).toEqual([]);
      expect(await verifiedVersion()).toBe(3);
    });

    it('raises the alarm for a new record that the books do not have, until it is gone', async () => {
      await verifyNew();
      await append({ kind: 'earning', cents: 5000 });
      const sentence = `${MINE} @ 3: No event of an account makes this share.`;
      expect(await verifyNew()).toEqual([sentence]);
      expect(await verifyNew()).toEqual([sentence]);
      await sql('delete from event where stream = $1 and version = 3', [MINE]);
      // An event that was verified before is gone, so this stays a problem.
      expect(await verifyNew()).toEqual([expect.stringContaining('the history of the stream was rewritten since')]);
    });

    it('raises the alarm for a record with a time that cannot be read', async () => {
      await verifyNew();
      await append({ payableAt: 'soon' });
      expect((await verifyNew()).join()).toContain(`${MINE} @ 3: `);
    });

    it('raises the alarm for a new record with a broken chain', async () => {
      await verifyNew();
      await ledger.generation(fan, 'delivered', 5);
      await ledger.project();
      await sql(`update event set data = jsonb_set(data, '{cents}', '2500') where stream = $1 and version = 3`, [MINE]);
      expect((await verifyNew()).join()).toContain(`${MINE} @ 3: The hash does not match`);
    });

    it('remembers that verified records were replaced, with all hashes made again', async () => {
      await verifyNew();
      await forge(MINE, set(0, { cents: 76 }));
      await ledger.generation(fan, 'delivered', 5);
      await ledger.project();
      expect((await verifyNew()).join()).toContain('the history of the stream was rewritten since');
    });
  });
});
