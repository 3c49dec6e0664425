import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { booksProjection } from '../../src/finance/index.js';
import { REVENUE_PROJECTION } from '../../src/revenue/index.js';
import { asOwner } from '../support/database.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(60_000);

const DAY_MS = 86_400_000;
const TABLES = booksProjection.tables;

let ledger: LedgerApp;

const query = <Row extends object>(text: string): Promise<{ rows: Row[] }> => asOwner(ledger.database).query<Row>(text);

/** Restores the books as the projection made them. */
async function restoreBooks(): Promise<void> {
  await query(`truncate ${TABLES.join(', ')}`);
  for (const table of TABLES) await query(`insert into ${table} select * from copy_of_${table}`);
}

beforeAll(async () => {
  ledger = await startLedger();
  await ledger.eventfulAccount('alice');
  for (const [user, creatorId] of [
    ['bob', 'ada'],
    ['mallory', 'bea'],
  ] as const) {
    const creator = { creatorId, ownGeneration: false };
    await ledger.purchase(user, `cs_of_${user}`, 100);
    await ledger.creditedCheckout(user, `cs_of_${user}`, 100);
    await ledger.generation(user, 'delivered', 30, creator);
    ledger.clock.advance(DAY_MS);
    await ledger.generation(user, 'delivered', 15, creator);
    await ledger.generation(user, 'returned', 10, creator);
  }
  // The shares of bea become payable in another month.
  ledger.clock.advance(25 * DAY_MS);
  await ledger.generation('bob', 'delivered', 20, { creatorId: 'bea', ownGeneration: false });
  await ledger.project();
  for (const table of TABLES) await query(`create table copy_of_${table} as table ${table}`);
});
afterAll(() => ledger.close());

/** One line of platform revenue of mallory. */
const ONE = `(user_id, version, line) = (
  select user_id, version, line from book_entry where account = 4000 and user_id = 'mallory' order by version, line limit 1)`;

/** Changes of the books, each with its statement and the problems that name it: stream and sentence. */
const CHEATS: readonly (readonly [what: string, statement: string, named: readonly (readonly [string, RegExp])[]])[] = [
  [
    'revenue of a cent too much',
    `update book_entry set cents = cents - 1 where ${ONE}`,
    [
      [
        'creditAccount-mallory',
        /^book_entry has cents -76, but the events give -75: line \d of DeductionSettled, account 4000\.$/,
      ],
      [
        '*',
        /^book_sum has -\d+ cents and -\d+ credits for account 4000 in the hour of 2026-03-1\d \d\d:00, but the journal gives -/,
      ],
    ],
  ],
  [
    'a line that was moved to another account',
    `update book_entry set account = 4100 where ${ONE}`,
    [
      ['creditAccount-mallory', /^book_entry has account 4100, but the events give 4000: /],
      ['*', /^book_sum has no row for account 4100 in the month of 2026-03-01 00:00, but the journal gives -75 cents/],
    ],
  ],
  [
    'a line that was moved to another day',
    `update book_entry set occurred_at = occurred_at - interval '1 day' where ${ONE}`,
    [['creditAccount-mallory', /^book_entry has occurred_at /]],
  ],
  [
    'a line that was dropped, with its sums',
    `with dropped as (delete from book_entry where ${ONE} returning *)
     update book_sum s set cents = s.cents - d.cents, credits = s.credits - d.credits
     from dropped d where s.account = d.account and s.starts_at = date_trunc(s.unit, d.occurred_at, 'UTC')`,
    [
      [
        'creditAccount-mallory',
        /^book_entry lacks the line of this event: line \d of DeductionSettled, account 4000\.$/,
      ],
    ],
  ],
  [
    'a line of nobody',
    `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits)
     values ('nobody', 0, 0, 1010, 'CreditsPurchased', '2026-03-10T09:00:00Z', 100, 0)`,
    [
      [
        'creditAccount-nobody',
        /^book_entry has a line that no event makes: line 0 of CreditsPurchased, account 1010\.$/,
      ],
    ],
  ],
  [
    'a line behind the end of an account',
    `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits)
     values ('mallory', 1000, 0, 1010, 'CreditsPurchased', '2026-03-10T09:00:00Z', 100, 0)`,
    [
      [
        'creditAccount-mallory',
        /^book_entry has a line that no event makes: line 0 of CreditsPurchased, account 1010\.$/,
      ],
    ],
  ],
  [
    'credits of a purchase that were hidden',
    `update book_purchase set unspent = unspent - 5 where user_id = 'mallory'`,
    [['creditAccount-mallory', /^book_purchase has unspent 80, but the events give 85: purchase cs_of_mallory\.$/]],
  ],
  [
    'a purchase that was never made',
    `insert into book_purchase select 'mallory', 'cs_more', credits, amount_cents, bought_month,
       unspent, reversals from book_purchase where user_id = 'mallory'`,
    [['creditAccount-mallory', /^book_purchase has a row that no event makes: purchase cs_more\.$/]],
  ],
  [
    'deferred revenue that is a cent lower in one month',
    `update book_sum set cents = cents + 1 where account = 2000 and unit = 'month' and starts_at = '2026-03-01Z'`,
    [
      [
        '*',
        /^book_sum has -\d+ cents and -\d+ credits for account 2000 in the month of 2026-03-01 00:00, but the journal gives -/,
      ],
    ],
  ],
  [
    'a sum at a time without entries',
    `insert into book_sum (account, unit, starts_at, cents, credits) values (4000, 'month', '-infinity', -5, 0)`,
    [['*', /^book_sum has -5 cents and 0 credits for account 4000 in the month of , but the journal gives no row\.$/]],
  ],
  [
    'a creator who is owed more than was earned',
    `update book_creator_sum set cents = cents - 100 where creator_id = 'ada' and account = 2120 and unit = 'month'`,
    [
      [
        '*',
        /^book_creator_sum has -175 cents for creator ada on account 2120 in the month of 2026-04-01 00:00, but .* -75 cents\.$/,
      ],
    ],
  ],
  [
    'credits that look older than they are',
    `update book_deferred_month set bought_month = '2025-01' where month = '2026-03'`,
    [
      [
        '*',
        /^book_deferred_month has -\d+ cents and -\d+ credits for purchases of 2025-01 in 2026-03, but .* no row\.$/,
      ],
    ],
  ],
];

describe('ledger verify of the books', () => {
  it('compares every line and every purchase with the events, and reports no problem', async () => {
    const { pool } = ledger.database;
    const { problems, summary } = await verifiedLedger({ ...ledger, pool }, () => ledger.clock.now());
    expect(problems).toEqual([]);
    const { rows: counted } = await query<{ count: number }>(
      'select ((select count(*) from book_entry) + (select count(*) from book_purchase))::int as count',
    );
    expect(summary.rows['books']).toBe(counted[0]?.count);
    expect(summary.rows['books']).toBeGreaterThan(20);
  });

  it.each(CHEATS)('names %s in the books', async (_what, statement, named) => {
    await query(statement);
    const problems = await ledger.verify();
    await restoreBooks();
    expect(new Set(problems.map(({ kind }) => kind))).toEqual(new Set(['projection']));
    for (const [stream, sentence] of named) {
      expect(problems).toContainEqual(expect.objectContaining({ stream, what: expect.stringMatching(sentence) }));
    }
  });

  it('reports nothing while the projection of the books lags behind the others', async () => {
    await ledger.gift('alice', 7);
    expect(await ledger.verify()).toEqual([]);
    const { version } = (await ledger.eventStore.readStream('creditAccount-alice')).at(-1) ?? {};
    expect(await ledger.verify(new Date(ledger.clock.now().getTime() + 10 * 60_000))).toContainEqual(
      expect.objectContaining({
        stream: 'creditAccount-alice',
        version,
        what: 'book_entry lacks the line of this event: line 0 of CreditsGranted, account 2050.',
      }),
    );
    await ledger.project();
    expect(await ledger.verify()).toEqual([]);
  });

  it('reports nothing when it has read rows of revenue before an event was applied, and those of the books after it', async () => {
    const tables = ['projection_checkpoint', ...REVENUE_PROJECTION.tables];
    for (const table of tables) await query(`create table before_${table} as table ${table}`);
    await ledger.generation('bob', 'delivered', 10, { creatorId: 'ada', ownGeneration: false });
    await ledger.project();
    for (const table of REVENUE_PROJECTION.tables) {
      await query(`truncate ${table}`);
      await query(`insert into ${table} select * from before_${table}`);
    }
    await query(`update projection_checkpoint c set position = b.position
      from before_projection_checkpoint b where b.name = c.name and c.name = '${REVENUE_PROJECTION.name}'`);
    expect(await ledger.verify()).toEqual([]);
    await ledger.project();
    expect(await ledger.verify()).toEqual([]);
  });
});
