import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { payoutIdOf } from '../../src/finance/runs/payout-ids.js';
import { MakePayoutFile } from '../../src/finance/use-cases/make-payout-file.js';
import { ManualClock } from '../../src/platform/clock.js';
import { ADMIN, approvedCreator, earn, emptyPayouts, payoutRun, query, saveDetailsOn } from '../support/payouts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { cellsOf } from '../support/csv.js';

jest.setTimeout(60_000);

const NOW = new Date('2026-11-20T09:00:00Z');
/** A text that a spreadsheet would run. */
const FORMULA = '=cmd|calc';
let app: TestApp;
const clock = new ManualClock(NOW);
let creatorId = '';
let payoutId = '';
let runId = '';

/** Every CSV of the product by its path in the contract: the query, and whether people can put a text in it. */
const FILES: Readonly<Record<string, readonly [query: () => string, hasFormula: boolean]>> = {
  '/exports/creator-earnings.csv': [() => `?creator_id=${creatorId}`, true],
  '/exports/trial-balance.csv': [() => '', false],
  '/exports/revenue-months.csv': [() => '', false],
  '/exports/deferred-revenue.csv': [() => '', false],
  '/exports/creator-liabilities.csv': [() => '', true],
  '/exports/book-entries.csv': [() => '?account=2100&from=2026-01-01&to=2026-11-20', true],
  '/exports/journal.csv': [() => '?from=2026-01-01&to=2026-11-20', true],
  '/exports/reconciliation.csv': [() => '?from=2026-09-01', true],
  '/exports/payout-file.csv': [() => `?run_id=${runId}&file=1`, true],
  '/exports/payout-statement.csv': [() => `?payout_id=${payoutId}`, true],
  '/exports/admin-acts.csv': [() => '', true],
};

/** Files for spreadsheets, which need a mark of UTF-8. Banks and accounting programs read the others. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  ...['/exports/creator-earnings.csv', '/exports/creator-liabilities.csv', '/exports/reconciliation.csv'],
  ...['/exports/payout-statement.csv', '/exports/admin-acts.csv'],
]);

/** A history whose names and ids all begin a formula. */
beforeAll(async () => {
  app = await startTestApp({ overrides: { clock } });
  await app.project();
  await emptyPayouts(app);
  creatorId = await approvedCreator(app, 'user_of_formula', FORMULA);
  await saveDetailsOn(app, clock, 'user_of_formula', { legalName: FORMULA });
  await query(
    app,
    `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits, lot_id,
       deduction_id, creator_id, payable_at)
     values ($1, 0, 0, 2100, 'DeductionSettled', '2026-09-10Z', -5000, 0, $1, $1, $2, '2026-10-10Z')`,
    [FORMULA, creatorId],
  );
  await query(
    app,
    `insert into creator_activity_image (creator_id, user_id, version, deduction_id, paid, free_credits, occurred_at)
     values ($2, $1, 0, $1, false, 10, '2026-09-10Z')`,
    [FORMULA, creatorId],
  );
  await query(
    app,
    `insert into reconciliation_gap (user_id, version, line, kind, session_id, cents, occurred_at)
     values ($1, 0, 0, 'charge', $1, 5000, '2026-09-10Z')`,
    [FORMULA],
  );
  await earn(app, [creatorId], 5_000, '2026-10-10');
  runId = await payoutRun(app, 'check');
  payoutId = payoutIdOf(runId, creatorId);
  await app.commands.execute(new MakePayoutFile({ runId, file: 1, by: { ...ADMIN, userId: FORMULA } }));
});
afterAll(() => app.close());

describe('the CSV files of the product', () => {
  it('has a case for each of them', () => {
    const routes = readFileSync(join(import.meta.dirname, '../../src/contract/routes.ts'), 'utf8');
    const paths = Array.from(routes.matchAll(/'GET (\/\S+\.csv)'/g), ([, path]) => path);
    expect(Object.keys(FILES).sort()).toEqual(paths.sort());
  });

  it.each(Object.entries(FILES))(
    'writes no cell that a spreadsheet runs, and the mark of UTF-8 for people: %s',
    async (path, [queryOf, hasFormula]) => {
      const role = path === '/exports/payout-file.csv' || path === '/exports/admin-acts.csv' ? 'admin' : 'finance';
      const response = await app.read(`${path.slice(1)}${queryOf()}`, `${role}_of_files`);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.subarray(0, 3).toString('hex') === 'efbbbf').toBe(FOR_PEOPLE.has(path));
      const text = bytes.toString().replace('\ufeff', '');
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      const cells = cellsOf(text).flat();
      const unsafe = cells.filter((cell) => /^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell));
      expect(unsafe).toEqual([]);
      expect(cells.some((cell) => cell.includes(FORMULA))).toBe(hasFormula);
    },
  );
});
