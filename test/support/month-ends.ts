import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { cellsOf } from './csv.js';

/** Cents by account at the end of each month, a debit above zero. */
type MonthEnds = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** Each line of the journal is a transaction with this account, which is zero when all entries are complete. */
const CLEARING = 'entries';
const RULES = `skip 1
fields date, entry, line, number, account_name, amount-in, amount-out, event
date-format %Y-%m-%d
description %entry %event
account1 %number
account2 ${CLEARING}
`;

const centsOf = (dollars = ''): number => Math.round(Number(dollars) * 100);

/** The sums of `journal.csv`. */
function foldJournal(journal: string, months: readonly string[]): MonthEnds {
  const lines = cellsOf(journal).slice(1);
  const ends = months.map((month): [string, Map<number, number>] => {
    const sums = new Map<number, number>();
    for (const [date = '', , , account, , debit, credit] of lines) {
      if (date.slice(0, 7) > month) continue;
      sums.set(Number(account), (sums.get(Number(account)) ?? 0) + centsOf(debit) - centsOf(credit));
    }
    return [month, sums];
  });
  return new Map(ends);
}

/** The sums of `journal.csv` by the accounting program hledger; null when it is not installed. */
async function importJournal(journal: string): Promise<MonthEnds | null> {
  const folder = await mkdtemp(join(tmpdir(), 'fanvas-hledger-'));
  try {
    const file = join(folder, 'journal.csv');
    const rules = join(folder, 'rules');
    await Promise.all([writeFile(file, journal), writeFile(rules, RULES)]);
    const words = ['-f', file, '--rules-file', rules, 'balance', '--monthly', '--historical', '--flat', '-N', '-E'];
    const { stdout } = await promisify(execFile)('hledger', [...words, '-O', 'csv'], { maxBuffer: 1e8 });
    const [head = [], ...rows] = cellsOf(stdout);
    const clearing = rows.find(([account]) => account === CLEARING) ?? [];
    expect(clearing.slice(1).filter((balance) => Number(balance) !== 0)).toEqual([]);
    const accounts = rows.filter(([account]) => account !== CLEARING);
    const ends = head.slice(1).map((month, index): [string, Map<number, number>] => {
      return [month, new Map(accounts.map((row) => [Number(row[0]), centsOf(row[index + 1])]))];
    });
    return new Map(ends);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    process.stderr.write('hledger is not installed: the journal is compared with a fold of the tests alone.\n');
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Compares `journal.csv` with the trial balance of every account at the last instant of each month, to the cent: by a
 * fold of its own, and by hledger where it is installed. Rule 1 of the books divides account 2100, so its parts are
 * compared as a sum.
 * @param balancesAt the trial balance of an instant by account, US cents; null: unknown
 * @returns the months in which a balance of an account was compared with one that is not zero
 */
export async function expectMonthEnds(
  journal: string,
  months: readonly string[],
  balancesAt: (instant: string) => Promise<ReadonlyMap<number, number | null>>,
): Promise<number> {
  const own = foldJournal(journal, months);
  const imported = await importJournal(journal);
  let filled = 0;
  for (const month of months) {
    const [year = 0, number = 0] = month.split('-').map(Number);
    const balances = await balancesAt(new Date(Date.UTC(year, number, 1) - 1).toISOString());
    const isRule1 = balances.has(2110);
    const due = nonZero(balances, isRule1);
    for (const sums of imported === null ? [own] : [own, imported]) {
      expect({ month, sums: nonZero(sums.get(month) ?? new Map(), isRule1) }).toEqual({ month, sums: due });
    }
    if (due.length > 0) filled += 1;
  }
  return filled;
}

function nonZero(balances: ReadonlyMap<number, number | null>, isRule1: boolean): [number, number][] {
  const sums = new Map<number, number>();
  for (const [account, cents] of balances) {
    const key = isRule1 && [1200, 2110, 2120].includes(account) ? 2100 : account;
    sums.set(key, (sums.get(key) ?? 0) + (cents ?? 0));
  }
  return [...sums].filter(([, cents]) => cents !== 0).sort(([a], [b]) => a - b);
}
