import { describe, expect, it } from '@jest/globals';
import type { ProblemKind } from '../../../../../src/contract/audit.js';
import { runResult } from '../../../../test/verification.js';
import { checksOf } from './verification-checks.js';

describe('checksOf', () => {
  it('gives each kind of problem to one check', () => {
    const kinds: Readonly<Record<string, readonly ProblemKind[]>> = {
      Chain: ['chain', 'version', 'position', 'time'],
      Rules: ['event', 'lot', 'deduction', 'purchase', 'conservation', 'policy', 'act'],
      Projections: ['projection'],
      Generations: ['generation'],
      Checkouts: ['payment'],
      Payouts: ['payout', 'earning', 'processor'],
      'Seals and log': ['log', 'seal', 'export'],
    };
    for (const [check, ofCheck] of Object.entries(kinds)) {
      for (const kind of ofCheck) {
        const checks = checksOf(runResult({ problems_by_kind: [{ kind, problems: 3 }] }));
        expect(checks.filter(({ problems }) => problems > 0)).toEqual([
          expect.objectContaining({ name: check, problems: 3 }),
        ]);
      }
    }
  });

  it('adds the kinds of a check', () => {
    const checks = checksOf(
      runResult({
        problems_by_kind: [
          { kind: 'chain', problems: 2 },
          { kind: 'version', problems: 1 },
          { kind: 'seal', problems: 4 },
        ],
      }),
    );
    expect(checks.map(({ problems }) => problems)).toEqual([3, 0, 0, 0, 0, 0, 4]);
  });

  it('says how much each check compared', () => {
    expect(checksOf(runResult()).map(({ compared }) => compared)).toEqual([
      '125,214 events, 3,206 accounts',
      '108,300 events of accounts, 9 of the policy, 1 act',
      'Rows: 92,526 of accounts, 16,367 of earnings',
      '36,507 images, 3 being drawn',
      '1,024 checkouts',
      'Events: 16,400 of earnings, 5 of payouts, 500 of the processor',
      'Seal 295 with 3,206 heads, chain of 295 seals, 125,214 leaves, 812 checkpoints',
    ]);
  });

  it('says when no seal and no row was compared', () => {
    const { compared } = runResult();
    const checks = checksOf(runResult({ seal: null, compared: { ...compared, rows: [], seals: 0 } }));
    expect(checks.find(({ name }) => name === 'Projections')?.compared).toBe('No rows');
    expect(checks.at(-1)?.compared).toBe('No seal, chain of 0 seals, 125,214 leaves, 812 checkpoints');
  });

  it('counts what no hash covers, and says why', () => {
    const { compared } = runResult();
    const rules = (uncovered: { name: string; rows: number }[]) =>
      checksOf(runResult({ compared: { ...compared, uncovered } })).find(({ name }) => name === 'Rules')?.compared;
    expect(rules([])).not.toContain('hashes');
    expect(rules([{ name: 'acts of consent', rows: 1_200 }])).toContain(
      '; made before there were hashes: 1,200 acts of consent',
    );
  });
});
