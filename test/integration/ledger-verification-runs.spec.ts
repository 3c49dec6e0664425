import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Kysely } from 'kysely';
import { type RunThread } from '../../src/audit/runs/run-threads.js';
import { endRun, requestRun } from '../../src/audit/runs/verification-runs.js';
import { LogSchedule } from '../../src/audit/workers/log-schedule.js';
import { RunSchedule } from '../../src/audit/workers/run-schedule.js';
import { SealSchedule } from '../../src/audit/workers/seal-schedule.js';
import { type VerificationRun, type VerificationRunsPage } from '../../src/contract/audit.js';
import { Acts } from '../../src/platform/acts/acts.js';
import { asOwner } from '../support/database.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { type Overrides, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

jest.setTimeout(240_000);

/** Another one for each test: the calls have a rate limit. */
let auditor = 'auditor_0';

let ledger: LedgerApp;
let app: TestApp;
const others: TestApp[] = [];

const start = async (
  overrides: Pick<Overrides, 'runThreads'> = {},
  settings: Readonly<Record<string, string>> = {},
): Promise<TestApp> => {
  const { clock, database, eventStore } = ledger;
  const started = await startTestApp({ database, settings, overrides: { clock, eventStore, ...overrides } });
  others.push(started);
  return started;
};
const ask = <T>(name: string, body: object = {}, on = app, token = auditor): Promise<T> => on.ok(name, token, body);
const newest = async (on = app): Promise<VerificationRun> => {
  const { runs } = await ask<VerificationRunsPage>('list_verification_runs', {}, on);
  if (!runs[0]) throw new Error('There is no run.');
  return runs[0];
};
const ending = () => ({ db: ledger.database.db as unknown as Kysely<object>, acts: app.get(Acts) });
/** Waits in the database: the calls have a rate limit. */
const reached = async <T>(column: 'started_at' | 'ended_at' | 'events'): Promise<T> =>
  until(
    async () => {
      const { rows } = await ledger.database.pool.query<{ value: T }>(
        `select ${column} as value from verification_run order by id desc limit 1`,
      );
      return rows[0]?.value;
    },
    `${column} of the run`,
    90_000,
  );
const metric = async (name: string): Promise<string | undefined> =>
  (await app.metrics.text()).body.split('\n').find((line) => line.startsWith(`${name} `));
const ended = async (id: number): Promise<VerificationRun> => {
  await reached('ended_at');
  const run = await newest();
  expect(run.id).toBe(id);
  return run;
};
/** A thread that does not end by itself. */
const endless = (): RunThread => {
  let stop = (): void => undefined;
  const result = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('The thread of the verification has ended.'));
  });
  return { result, stop: () => Promise.resolve(stop()) };
};

beforeAll(async () => {
  ledger = await startLedger();
  await ledger.eventfulAccount('alice');
  await ledger.eventfulAccount('bob');
  app = await start();
  others.pop();
  await app.get(LogSchedule).tick();
  await app.get(SealSchedule).tick();
});
afterAll(async () => {
  await app.close();
  await ledger.close();
});
beforeEach(async () => {
  auditor = `auditor_${Math.random()}`;
  await asOwner(ledger.database).query('truncate verification_run');
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const other of others.splice(0)) await other.close();
});

describe('request_ledger_verification', () => {
  it('verifies all at once, against the newest seal and the checkpoint', async () => {
    const run = await ask<VerificationRun>('request_ledger_verification');
    expect(run).toMatchObject({ requested_by: auditor, ended_at: null, result: null, failure: null, problems: 0 });
    const { result, ...rest } = await ended(run.id);
    const { rows } = await ledger.database.pool.query<{ events: number; seals: number }>(
      'select (select count(*)::int from event) as events, (select count(*)::int from ledger_seal) as seals',
    );
    const { events, seals } = rows[0]!;
    expect(rest).toMatchObject({ id: run.id, events, problems: 0, failure: null, started_at: expect.any(String) });
    expect(result).toMatchObject({ seal: { number: seals }, checkpoint_size: events, problems_by_kind: [], first: [] });
    expect(result?.compared).toMatchObject({
      accounts: 2,
      events,
      seals,
      leaves: events,
      checkpoints: 1,
      generations: 8,
      open_generations: 2,
      unsealed_events: 0,
    });
    expect(result?.compared.rows).toContainEqual({ projection: 'credit_account', rows: expect.any(Number) });
  });

  it('stores the problems that it finds, and logs them', async () => {
    const change = (amount: number): Promise<unknown> =>
      asOwner(ledger.database).query(
        `update event set data = jsonb_set(data, '{amount}', to_jsonb($1::int))
         where stream = 'creditAccount-bob' and version = 1`,
        [amount],
      );
    const { rows } = await ledger.database.pool.query<{ amount: number }>(
      `select (data->>'amount')::int as amount from event where stream = 'creditAccount-bob' and version = 1`,
    );
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await change(9_999);
    const { id } = await ask<VerificationRun>('request_ledger_verification');
    // oxlint-disable-next-line typescript/no-misused-promises -- `finally` waits for the promise
    const { problems, result } = await ended(id).finally(() => change(rows[0]!.amount));
    expect(problems).toBeGreaterThan(0);
    expect(result?.first).toContainEqual({
      stream: 'creditAccount-bob',
      version: 1,
      kind: 'chain',
      what: 'The hash does not match the content of the event and the hash before it.',
    });
    const counted = result?.problems_by_kind.reduce((sum, each) => sum + each.problems, 0);
    expect(counted).toBe(problems);
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ message: 'A full verification of the ledger found problems.', run: id, problems }),
    );
    expect(await metric('fanvas_ledger_run_problems')).toBe(`fanvas_ledger_run_problems ${problems}`);
    const again = await ask<VerificationRun>('request_ledger_verification');
    expect(await ended(again.id)).toMatchObject({ problems: 0 });
    expect(await metric('fanvas_ledger_run_problems')).toBe('fanvas_ledger_run_problems 0');
  });

  it('makes one run of requests at the same time, and of those while it is in progress', async () => {
    const busy = await start({ runThreads: { start: endless } });
    const asked = await Promise.all(
      Array.from({ length: 5 }, () => ask<VerificationRun>('request_ledger_verification', {}, busy)),
    );
    await reached('started_at');
    asked.push(await ask<VerificationRun>('request_ledger_verification', {}, app, 'auditor_2'));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    expect((await ask<VerificationRunsPage>('list_verification_runs')).runs).toHaveLength(1);
  });
});

describe('list_verification_runs', () => {
  it('lists the newest first, in pages', async () => {
    const { pool } = ledger.database;
    const ids: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { id } = await requestRun(pool, auditor, ledger.clock.now());
      await endRun(ending(), id, { failure: 'It failed.' }, ledger.clock.now());
      ids.unshift(id);
    }
    const page = await ask<VerificationRunsPage>('list_verification_runs', { p_limit: 2 });
    expect([page.runs.map(({ id }) => id), page.next]).toEqual([ids.slice(0, 2), ids[1]]);
    const rest = await ask<VerificationRunsPage>('list_verification_runs', { p_limit: 2, p_after: page.next });
    expect([rest.runs.map(({ id }) => id), rest.next]).toEqual([ids.slice(2), null]);
  });

  it('names the auditor who asked, until the account is closed', async () => {
    const { pool } = ledger.database;
    await pool.query(
      `insert into app_user (id, email, name, created_at, updated_at)
       values ($1, $2, 'Anders Wik', now(), now())`,
      [auditor, `${auditor}@fanvas.test`],
    );
    const { id } = await requestRun(pool, auditor, ledger.clock.now());
    expect(await newest()).toMatchObject({ id, requested_by: auditor, requested_by_name: 'Anders Wik' });
    await pool.query('update app_user set deleted_at = now() where id = $1', [auditor]);
    expect(await newest()).toMatchObject({ id, requested_by_name: null });
  });

  it('keeps the newest 1,000 runs', async () => {
    const { pool } = ledger.database;
    await pool.query(
      `insert into verification_run (requested_at, requested_by, ended_at, failure)
       select now(), 'auditor_1', now(), 'It failed.' from generate_series(1, 1004)`,
    );
    const { id } = await requestRun(pool, auditor, ledger.clock.now());
    await endRun(ending(), id, { failure: 'It failed.' }, ledger.clock.now());
    const { rows } = await pool.query<{ kept: number; newest: number }>(
      'select count(*)::int as kept, max(id) as newest from verification_run',
    );
    expect(rows).toEqual([{ kept: 1_000, newest: id }]);
  });
});

describe('RunSchedule', () => {
  it('leaves a run open when the app stops, and another process starts it again', async () => {
    const stopping = await start({ runThreads: { start: endless } });
    const { id } = await ask<VerificationRun>('request_ledger_verification', {}, stopping);
    await reached('started_at');
    await app.get(RunSchedule).tick();
    expect(await newest()).toMatchObject({ id, ended_at: null });
    await stopping.close();
    expect(await newest()).toMatchObject({ id, ended_at: null });
    await app.get(RunSchedule).tick();
    expect(await newest()).toMatchObject({ id, problems: 0, failure: null, ended_at: expect.any(String) });
  });

  it('leaves a run that a process without the worker was asked for to one with it', async () => {
    const { url } = ledger.database;
    const web = await start({}, { FANVAS_ROLES: 'web', DATABASE_URL: url, SANDBOXES_URL: 'http://localhost:1' });
    const begun = jest.spyOn(web.get(RunSchedule), 'tick');
    const { id } = await ask<VerificationRun>('request_ledger_verification', {}, web);
    expect(begun).not.toHaveBeenCalled();
    await app.get(RunSchedule).tick();
    expect(await newest()).toMatchObject({ id, problems: 0, ended_at: expect.any(String) });
  });

  it('stops the thread of a run with the app', async () => {
    const stopping = await start();
    const other = await asOwner(ledger.database).connect();
    // Until the app has stopped, the thread cannot read what it compares.
    await other.query('begin; lock table checkout');
    await ask('request_ledger_verification', {}, stopping);
    await reached('started_at');
    await stopping.close();
    await other.query('rollback');
    other.release();
    expect((await newest()).ended_at).toBeNull();
    await app.get(RunSchedule).tick();
    expect(await newest()).toMatchObject({ problems: 0, failure: null, ended_at: expect.any(String) });
    const { rows } = await ledger.database.pool.query('select starts from verification_run');
    expect(rows).toEqual([{ starts: 2 }]);
  });

  it('stores and logs a run that fails', async () => {
    const error = new Error('The disk is gone.');
    const failing = await start({
      runThreads: { start: () => ({ result: Promise.reject(error), stop: () => Promise.resolve() }) },
    });
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { id } = await ask<VerificationRun>('request_ledger_verification', {}, failing);
    expect(await ended(id)).toMatchObject({
      result: null,
      failure: 'The verification failed. The log of the server has the cause.',
    });
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ run: id, error }));
  });

  it('asks for the command line when the thread has too little memory', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const error = Object.assign(new Error('Out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    const failing = await start({
      runThreads: { start: () => ({ result: Promise.reject(error), stop: () => Promise.resolve() }) },
    });
    const { id } = await ask<VerificationRun>('request_ledger_verification', {}, failing);
    expect((await ended(id)).failure).toContain('npm run ledger -- verify');
  });

  it('gives up a run that was started five times and never ended', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { id } = await requestRun(ledger.database.pool, auditor, ledger.clock.now());
    await ledger.database.pool.query('update verification_run set starts = 5, started_at = now()');
    await app.get(RunSchedule).tick();
    expect(await newest()).toMatchObject({ id, ended_at: expect.any(String), result: null });
    expect((await newest()).failure).toContain('started 5 times');
  });

  it('stores how far a run is', async () => {
    const thread = endless();
    const watched = await start({
      runThreads: {
        start: (_, onProgress) => {
          onProgress(7);
          return thread;
        },
      },
    });
    await ask('request_ledger_verification', {}, watched);
    expect(await reached('events')).toBe(7);
  });
});
