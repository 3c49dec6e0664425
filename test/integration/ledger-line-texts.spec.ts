import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Line, LineTexts, type LineTable } from '../../src/audit/verify/line-texts.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';

interface SampleRow extends Line {
  readonly user_id: string;
  readonly version: number;
  readonly line: number;
  readonly cents: number;
  readonly own: boolean;
  readonly text: string;
  readonly other: string | null;
  readonly at: Date | null;
}

const SAMPLES: LineTable<SampleRow> = {
  name: 'line_sample',
  severalPerEvent: true,
  columns: {
    version: 'other',
    line: 'other',
    cents: 'other',
    own: 'other',
    text: 'other',
    other: 'other',
    at: 'time',
  },
  describe: () => '',
};

const ROW: SampleRow = {
  user_id: 'ada',
  version: 0,
  line: 0,
  cents: -5,
  own: false,
  text: 'lot-1',
  other: null,
  at: new Date('2026-03-10T09:00:00Z'),
};

/** Texts that Postgres must quote, and texts that look like quoted ones. */
const TEXTS = [
  '',
  ' ',
  'a b',
  'a,b',
  '"',
  '""',
  '\\',
  '(a)',
  "it's",
  'a\nb',
  'ä€😀',
  'null',
  'NULL',
  '2026-03-10 09:00:00',
];
const TIMES = [
  '2026-03-10T09:00:00.100Z',
  '2026-12-31T23:59:59.999Z',
  '2026-03-10T00:00:00.010Z',
  '2026-03-10T09:00:10Z',
];

let database: TestDatabase<never>;
let pool: TestDatabase<never>['pool'];

beforeAll(async () => {
  database = await withTestDatabase({ empty: true });
  ({ pool } = database);
  await pool.query(
    `create table line_sample (user_id text, version integer, line integer, cents bigint, own boolean, text text, other text,
       at timestamptz, primary key (user_id, version, line))`,
  );
});
afterAll(() => database.close());

async function store(rows: readonly SampleRow[]): Promise<void> {
  await pool.query('truncate line_sample');
  await pool.query('insert into line_sample select * from json_populate_recordset(null::line_sample, $1)', [
    JSON.stringify(rows),
  ]);
}

/** Whether the texts of an account's lines equal these rows, and how many pages were read. */
async function compare(due: readonly SampleRow[]): Promise<{ equal: boolean; pages: number }> {
  const texts = new LineTexts(pool, SAMPLES, [{ userId: 'ada', until: 1_000_000 }]);
  let pages = 0;
  for (const row of due) {
    let taken = texts.take(0, row);
    for (; taken === undefined; taken = texts.take(0, row)) {
      await texts.read(0);
      pages += 1;
    }
    if (!taken) return { equal: false, pages };
  }
  while (texts.hasMore(0) === undefined) await texts.read(0);
  return { equal: texts.hasMore(0) === false, pages };
}

describe('LineTexts', () => {
  it('writes every value as Postgres writes it in a row', async () => {
    const rows = [
      ...TEXTS.map((text) => ({ ...ROW, text, other: text, own: true })),
      ...TIMES.map((at) => ({ ...ROW, at: new Date(at), cents: Number.MAX_SAFE_INTEGER })),
      { ...ROW, at: null },
    ].map((row, version) => ({ ...row, version }));
    await store(rows);
    expect(await compare(rows)).toEqual({ equal: true, pages: 1 });
  });

  it.each([
    ['a number', { cents: 5 }],
    ['a truth value', { own: true }],
    ['a text', { text: 'lot-10' }],
    ['a text in place of null', { other: 'null' }],
    ['an empty text in place of null', { other: '' }],
    ['a text that moves to the next column', { text: 'lot-1,x', other: null }],
    ['a time', { at: new Date('2026-03-10T09:00:00.001Z') }],
    ['no time', { at: null }],
    ['the version', { version: 1 }],
    ['the line', { line: 1 }],
  ])('differs when the stored row has %s of another value', async (_what, change) => {
    await store([{ ...ROW, ...change }]);
    expect(await compare([ROW])).toMatchObject({ equal: false });
    await store([ROW]);
    expect(await compare([{ ...ROW, ...change }])).toMatchObject({ equal: false });
  });

  it('differs when two rows share their texts in another way', async () => {
    await store([{ ...ROW, text: 'a', other: 'b,c' }]);
    expect(await compare([{ ...ROW, text: 'a,b', other: 'c' }])).toMatchObject({ equal: false });
  });

  it('differs when a microsecond was added, which no event can cause', async () => {
    await store([ROW]);
    await pool.query(`update line_sample set at = at + interval '1 microsecond'`);
    expect(await compare([ROW])).toMatchObject({ equal: false });
  });

  it('differs when a line is missing, and when there is one more', async () => {
    const rows = [0, 1, 2].map((line) => ({ ...ROW, line }));
    await store(rows.slice(0, 2));
    expect(await compare(rows)).toMatchObject({ equal: false });
    await store(rows);
    expect(await compare(rows.slice(0, 2))).toMatchObject({ equal: false });
  });

  it('reads an account with many lines in pages, also between two lines of one event', async () => {
    const rows = Array.from({ length: 4500 }, (_, index) => ({
      ...ROW,
      version: Math.floor(index / 3),
      line: index % 3,
    }));
    await store(rows);
    expect(await compare(rows)).toEqual({ equal: true, pages: 3 });
  });

  it('gives each account its own lines, also when an account before it was left early', async () => {
    const rows = ['ada', 'bob', 'eve'].flatMap((user_id) =>
      Array.from({ length: user_id === 'ada' ? 2500 : 2 }, (_, version) => ({ ...ROW, user_id, version })),
    );
    await store(rows);
    const accounts = ['ada', 'bob', 'eve'].map((userId) => ({ userId, until: 1_000_000 }));
    const texts = new LineTexts(pool, SAMPLES, accounts);
    await texts.read(0);
    expect(texts.take(0, ROW)).toBe(true);
    expect(texts.take(1, ROW)).toBeUndefined();
    await texts.read(1);
    expect([texts.take(1, ROW), texts.take(2, ROW)]).toEqual([true, true]);
    expect(texts.cursorOf(2)).toEqual({ version: 0, line: 0 });
  });
});
