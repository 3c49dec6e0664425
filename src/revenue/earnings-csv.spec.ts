import { describe, expect, it } from '@jest/globals';
import { CSV_HEADER, csvLine } from './earnings-csv.js';
import { type EarningItem } from './reads/creator-earnings.js';

const AT = '2026-03-10T09:00:00.000Z';
const part = { credits: -10, unit_price_cents: 10, cents: -101, creator_cents: -5, bought_at: null };
const item: EarningItem = {
  id: 'a1',
  kind: 'correction',
  generation_id: 'g1',
  paid: [part],
  free_credits: 0,
  creator_cents: -5,
  occurred_at: AT,
  payable_at: AT,
  cause: 'dispute',
};

describe('csvLine', () => {
  it('writes dollars with two decimals, UTC times and the line end of RFC 4180', () => {
    expect(csvLine(item)).toBe(
      'a1,correction,g1,2026-03-10T09:00:00.000Z,-10,0,-1.01,-0.05,2026-03-10T09:00:00.000Z,dispute\r\n',
    );
    expect(csvLine(item).split(',')).toHaveLength(CSV_HEADER.split(',').length);
  });

  it('leaves the time and the reason of a free image empty', () => {
    const free = {
      ...item,
      kind: 'free',
      paid: [],
      free_credits: 10,
      creator_cents: 0,
      payable_at: null,
      cause: null,
    } as const;
    expect(csvLine(free)).toBe('a1,free,g1,2026-03-10T09:00:00.000Z,0,10,0.00,0.00,,\r\n');
  });

  it.each([
    ['=1+1', `'=1+1`],
    ['+1 2', `'+1 2`],
    ['-2+3', `'-2+3`],
    ['@sum', `'@sum`],
    ['a,"b"', '"a,""b"""'],
    ['=a\r\nb', `"'=a\r\nb"`],
  ])('makes %j harmless to a spreadsheet', (generationId, cell) => {
    expect(csvLine({ ...item, generation_id: generationId })).toContain(`,${cell},`);
  });
});
