import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { v7 } from 'uuid';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';

jest.setTimeout(180_000);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The answer of an instance to a command. */
interface Answer {
  readonly id: string;
  readonly user: string;
  readonly command: 'deduct' | 'settle' | 'refund';
  readonly outcome: 'done' | 'repeat' | 'refused' | 'failed';
}

let ledger: LedgerApp;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.close());

/** Runs test/support/hammer.ts in a separate process on the same database. */
async function runInstance(plan: object): Promise<Answer[]> {
  const script = path.join(ROOT, 'test', 'support', 'hammer.ts');
  const typescript = path.join(ROOT, 'scripts', 'lib', 'typescript.mjs');
  const child = spawn(process.execPath, ['--import', typescript, script, ledger.database.url, JSON.stringify(plan)]);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`An instance ended with ${code}: ${err}`);
  return JSON.parse(out) as Answer[];
}

describe('AccountStore of two processes on one database', () => {
  it('executes each command once when both processes write to the same accounts', async () => {
    const users = Array.from({ length: 3 }, () => `user_${v7()}`);
    const ids = users.flatMap((user) => Array.from({ length: 60 }, () => ({ user, id: v7() })));
    // Both processes send the same commands. Each deduction must begin and end once.
    const answers = (
      await Promise.all([runInstance({ users, ids }), runInstance({ users, ids: [...ids].reverse() })])
    ).flat();

    expect(answers.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    const stored = new Map<string, string[]>();
    for (const user of users) {
      for (const { type, data } of await ledger.eventStore.readStream(`creditAccount-${user}`)) {
        const id = data['deductionId'];
        if (typeof id === 'string') stored.set(id, [...(stored.get(id) ?? []), type]);
      }
    }
    for (const { id } of ids) {
      const done = (command: Answer['command']): number =>
        answers.filter((each) => each.id === id && each.command === command && each.outcome === 'done').length;
      expect([id, done('deduct'), done('settle') + done('refund')]).toEqual([id, 1, 1]);
      expect(stored.get(id)).toEqual(['CreditsDeducted', done('settle') ? 'DeductionSettled' : 'CreditsRefunded']);
    }
    await ledger.project();
    const problems = await ledger.verify(new Date());
    // These deductions have no generations. There must be no other problem.
    expect(problems.filter(({ kind }) => kind !== 'generation')).toEqual([]);
  });
});
