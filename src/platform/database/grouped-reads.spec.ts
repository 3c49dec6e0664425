import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DatabaseSilentError } from './budgeted-pool.js';
import { GroupedReads } from './grouped-reads.js';
import { withDatabaseBudget } from './request-budget.js';

/** Reads that square numbers. The statements wait until they are answered. */
function squares(deadlineMs = 5_000) {
  const statements: { numbers: readonly number[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const reads = new GroupedReads<number, number>(
    (numbers) =>
      new Promise((resolve, reject) => {
        statements.push({ numbers, answer: () => resolve(numbers.map((number) => number ** 2)), fail: reject });
      }),
    deadlineMs,
  );
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return { reads, statements, turn };
}

describe('GroupedReads', () => {
  it('sends reads of one turn together, and those that arrive meanwhile after them', async () => {
    const { reads, statements, turn } = squares();
    const first = [reads.ask(1), reads.ask(2), reads.ask(3)];
    await turn();
    const second = reads.ask(4);
    await turn();
    const later = [reads.ask(5), reads.ask(6)];
    await turn();
    // Two statements are in flight at most.
    expect(statements.map(({ numbers }) => numbers)).toEqual([[1, 2, 3], [4]]);
    statements[0]?.answer();
    expect(await Promise.all(first)).toEqual([1, 4, 9]);
    await turn();
    expect(statements.map(({ numbers }) => numbers)).toEqual([[1, 2, 3], [4], [5, 6]]);
    for (const { answer } of statements) answer();
    expect(await Promise.all([second, ...later])).toEqual([16, 25, 36]);
  });

  it('fails the reads of one statement with its error, and answers the next ones', async () => {
    const { reads, statements, turn } = squares();
    const failing = Promise.allSettled([reads.ask(1), reads.ask(2)]);
    await turn();
    statements[0]?.fail(new Error('broken'));
    expect(await failing).toMatchObject([{ reason: { message: 'broken' } }, { reason: { message: 'broken' } }]);
    const next = reads.ask(3);
    await turn();
    statements[1]?.answer();
    expect(await next).toBe(9);
  });

  it('does not send a read whose caller waits no longer', async () => {
    const { reads, statements, turn } = squares(30);
    const sent = [reads.ask(1), reads.ask(2)];
    await turn();
    const third = reads.ask(3);
    await turn();
    const late = Promise.allSettled([...sent, third, reads.ask(4)]);
    for (const outcome of await late)
      expect(outcome).toMatchObject({ reason: { message: 'There was no answer within 30 ms.' } });
    const fifth = reads.ask(5);
    for (const { answer } of statements) answer();
    await turn();
    expect(statements.map(({ numbers }) => numbers)).toEqual([[1, 2], [3], [5]]);
    statements[2]?.answer();
    expect(await fifth).toBe(25);
  });

  it('fails only the read whose value the database refuses', async () => {
    const refused = Object.assign(new pg.DatabaseError('invalid byte sequence', 1, 'error'), { code: '22021' });
    const reads = new GroupedReads<string, string>(
      (names) => (names.includes('bad') ? Promise.reject(refused) : Promise.resolve(names)),
      5_000,
    );
    const outcomes = await Promise.allSettled([reads.ask('one'), reads.ask('bad'), reads.ask('two')]);
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 'one' },
      { status: 'rejected', reason: refused },
      { status: 'fulfilled', value: 'two' },
    ]);
  });

  it('lets a request wait for the rest of its time only, while others of the same statement wait on', async () => {
    const { reads, statements, turn } = squares();
    const late = withDatabaseBudget(20, () => reads.ask(1));
    const patient = reads.ask(2);
    await expect(late).rejects.toThrow(DatabaseSilentError);
    await turn();
    expect(statements.map(({ numbers }) => numbers)).toEqual([[1, 2]]);
    statements[0]?.answer();
    expect(await patient).toBe(4);
  });
});
