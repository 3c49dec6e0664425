import { describe, expect, it } from '@jest/globals';
import { completeMonths, creatorMonth, type MonthFigures } from './creator-months.js';

function figures(month: string, creator_cents: number): MonthFigures {
  const none = { correction_cents: 0, restoration_cents: 0, changes: 0, free_generations: 0, new_fans: 0 };
  return { month, creator_cents, paid_generations: creator_cents / 50, ...none };
}

describe('completeMonths', () => {
  it('lists every month from the first one with figures to the last complete one, the last one first', () => {
    const months = completeMonths([figures('2026-01', 100), figures('2025-11', 50)], '2026-02', 24);
    expect(months.map(({ month, creator_earnings: dollars }) => [month, dollars])).toEqual([
      ['2026-01', 1],
      ['2025-12', 0],
      ['2025-11', 0.5],
    ]);
    expect(months[2]?.month_name).toBe('November 2025');
  });

  it('lists no month before the first one, and at most the months that are asked for', () => {
    expect(completeMonths([], '2026-02', 24)).toEqual([]);
    expect(completeMonths([figures('2026-02', 50)], '2026-02', 24)).toEqual([]);
    expect(completeMonths([figures('2020-01', 50)], '2026-02', 3)).toHaveLength(3);
  });
});

describe('creatorMonth', () => {
  it('gives dollars, and zeros for a month without figures', () => {
    const month = { ...figures('2026-01', 1999), correction_cents: -5, restoration_cents: 7, free_generations: 2 };
    expect(creatorMonth('2026-01', [month])).toMatchObject({
      creator_earnings: 19.99,
      corrections: -0.05,
      restorations: 0.07,
      free_generations: 2,
    });
    expect(creatorMonth('2026-03', [month])).toMatchObject({ creator_earnings: 0, paid_generations: 0 });
  });
});
