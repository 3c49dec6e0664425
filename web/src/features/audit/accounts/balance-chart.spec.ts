import { describe, expect, it } from '@jest/globals';
import type { StatementEntry } from '../../../../../src/contract/audit.js';
import { balanceIn, chartPeriod, gridFigures, hasPeriod, midnightsIn, stepsIn } from './balance-chart.js';

const NOW = Date.parse('2026-11-22T09:40:00.000Z');
const line = (at: string, balance: number): StatementEntry => ({
  at,
  what: 'CreditsGranted',
  reference: 'g',
  amount: 10,
  balance,
  version: 1,
  hash: null,
  seal: null,
});
const iso = (time: number): string => new Date(time).toISOString();

describe('the chart of a balance', () => {
  it('ends now for the newest events, and begins at a midnight seven days before', () => {
    const { from, to } = chartPeriod(null, line('2026-11-22T09:00:00.000Z', 10), NOW);
    expect([iso(from), to]).toEqual(['2026-11-15T00:00:00.000Z', NOW]);
  });

  it('ends after the day that follows the instant, or the newest line', () => {
    for (const period of [
      chartPeriod('2026-11-03T12:00:00.000Z', undefined, NOW),
      chartPeriod(null, line('2026-11-03T12:00:00.000Z', 10), NOW),
    ]) {
      expect(iso(period.to)).toBe('2026-11-05T00:00:00.000Z');
      expect(period.from).toBeLessThan(Date.parse('2026-11-03T12:00:00.000Z'));
    }
  });

  it('begins with the balance before the period', () => {
    const period = { from: Date.parse('2026-11-15'), to: NOW };
    const lines = [line('2026-11-16T10:00:00.000Z', 20), line('2026-11-14T10:00:00.000Z', 30)];
    const opening = { total: 7 };
    const steps = stepsIn(period, { lines, total_lines: 2, opening });
    expect(steps.map(({ balance }) => balance)).toEqual([30, 20]);
    expect(
      stepsIn(period, { lines: lines.slice(0, 1), total_lines: 1, opening }).map(({ balance }) => balance),
    ).toEqual([7, 20]);
    expect(balanceIn(steps, period.from)).toBe(30);
    expect(balanceIn(steps, NOW)).toBe(20);
  });

  it('begins at the oldest line that is loaded when the period has more', () => {
    const period = { from: Date.parse('2026-11-15'), to: NOW };
    const lines = [line('2026-11-21T10:00:00.000Z', 30), line('2026-11-20T10:00:00.000Z', 20)];
    const steps = stepsIn(period, { lines, total_lines: 300, opening: { total: 7 } });
    expect(steps.map(({ time, balance }) => [iso(time).slice(0, 10), balance])).toEqual([
      ['2026-11-20', 20],
      ['2026-11-21', 30],
    ]);
    expect(balanceIn(steps, period.from)).toBeUndefined();
  });

  it('knows whether the newest lines reach back to the beginning of the period', () => {
    const period = { from: Date.parse('2026-11-15'), to: NOW };
    const statement = (at: string, total: number) => ({ lines: [line(at, 1)], total_lines: total });
    expect(hasPeriod(statement('2026-11-16T00:00:00.000Z', 1), period)).toBe(true);
    expect(hasPeriod(statement('2026-11-16T00:00:00.000Z', 2), period)).toBe(false);
    expect(hasPeriod(statement('2026-11-14T00:00:00.000Z', 2), period)).toBe(true);
  });

  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [120, [0, 50, 100, 150]],
    [131, [0, 50, 100, 150]],
    [900, [0, 500, 1000]],
  ])('has round figures up to a balance of %d', (most, expected) => {
    expect(gridFigures(most)).toEqual(expected);
  });

  it('names each UTC day of the period', () => {
    const days = midnightsIn({ from: Date.parse('2026-11-15'), to: NOW }).map((time) => iso(time).slice(0, 10));
    expect(days).toHaveLength(8);
    expect([days[0], days.at(-1)]).toEqual(['2026-11-15', '2026-11-22']);
  });
});
