import { describe, expect, it } from '@jest/globals';
import { type HealthLine } from '../contract/admin.js';
import { type HealthFacts, healthLines } from './health-lines.js';

const NOW = new Date('2026-11-23T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const since = (ms: number): Date => new Date(NOW.getTime() - ms);

const WELL: HealthFacts = {
  ledger: { problems: 0, verifiedUntil: since(MINUTE), sealedAt: since(3 * HOUR) },
  projections: { oldestUnapplied: null, building: [], failing: [] },
  images: { dueImages: 0, oldestDue: null },
  provider: { ended: 40, failed: 1, refusal: null },
  payments: { waiting: 0, oldestWaiting: null, problems: 0 },
  closings: { open: 0, oldest: null },
  files: { overdue: 0, free: { bytes: 80e9, share: 0.4 } },
};

function lineOf(name: string, facts: Partial<HealthFacts>): HealthLine {
  const line = healthLines({ ...WELL, ...facts }, NOW).find((one) => one.name === name);
  if (!line) throw new Error(`There is no line ${name}.`);
  return line;
}

describe('healthLines', () => {
  it('has a sentence and no next step for each part that is well', () => {
    expect(healthLines(WELL, NOW)).toEqual([
      { name: 'Ledger', state: 'well', what: 'No problems; verified until 1 minute ago.', todo: null },
      { name: 'Seals', state: 'well', what: 'The last seal was made 3 hours ago.', todo: null },
      { name: 'Projections', state: 'well', what: 'Balances and figures are up to date.', todo: null },
      { name: 'Images', state: 'well', what: 'No image waits for its next step.', todo: null },
      { name: 'Image provider', state: 'well', what: '1 of 40 images failed within the last hour.', todo: null },
      { name: 'Payments', state: 'well', what: 'All events of the payment processor are handled.', todo: null },
      { name: 'Closed accounts', state: 'well', what: 'No closing is unfinished.', todo: null },
      { name: 'Files', state: 'well', what: '80.0 GB (40 %) are free.', todo: null },
    ]);
  });

  it.each<[string, HealthLine['state'], string, Partial<HealthFacts>]>([
    ['Ledger', 'bad', 'The verification knows 2 problems.', { ledger: { ...WELL.ledger, problems: 2 } }],
    ['Ledger', 'watch', 'Nothing is verified yet.', { ledger: { ...WELL.ledger, verifiedUntil: null } }],
    [
      'Ledger',
      'watch',
      'No problems; verified until 10 minutes ago.',
      { ledger: { ...WELL.ledger, verifiedUntil: since(10 * MINUTE) } },
    ],
    [
      'Ledger',
      'bad',
      'No problems; verified until 1 hour ago.',
      { ledger: { ...WELL.ledger, verifiedUntil: since(HOUR) } },
    ],
    ['Seals', 'watch', 'The ledger has no published seal.', { ledger: { ...WELL.ledger, sealedAt: null } }],
    [
      'Seals',
      'watch',
      'The last seal was made 26 hours ago.',
      { ledger: { ...WELL.ledger, sealedAt: since(26 * HOUR) } },
    ],
    ['Seals', 'bad', 'The last seal was made 2 days ago.', { ledger: { ...WELL.ledger, sealedAt: since(50 * HOUR) } }],
    [
      'Projections',
      'bad',
      'Failing: creator_revenue.',
      { projections: { ...WELL.projections, failing: ['creator_revenue'] } },
    ],
    [
      'Projections',
      'watch',
      'Being built: credit_account.',
      { projections: { ...WELL.projections, building: ['credit_account'] } },
    ],
    [
      'Projections',
      'watch',
      'Balances and figures are 9 minutes behind.',
      { projections: { ...WELL.projections, oldestUnapplied: since(9 * MINUTE) } },
    ],
    [
      'Projections',
      'bad',
      'Balances and figures are 10 minutes behind.',
      { projections: { ...WELL.projections, oldestUnapplied: since(10 * MINUTE) } },
    ],
    [
      'Images',
      'well',
      '1 image waits for the next step, the oldest for 2 minutes.',
      { images: { dueImages: 1, oldestDue: since(2 * MINUTE) } },
    ],
    [
      'Images',
      'bad',
      '10,000 or more images wait for the next step, the oldest for 3 days.',
      { images: { dueImages: 10_000, oldestDue: since(72 * HOUR) } },
    ],
    [
      'Image provider',
      'well',
      '4 of 4 images failed within the last hour.',
      { provider: { ended: 4, failed: 4, refusal: null } },
    ],
    [
      'Image provider',
      'watch',
      '1 of 5 images failed within the last hour.',
      { provider: { ended: 5, failed: 1, refusal: null } },
    ],
    [
      'Image provider',
      'bad',
      '3 of 6 images failed within the last hour.',
      { provider: { ended: 6, failed: 3, refusal: null } },
    ],
    [
      'Image provider',
      'bad',
      'Our account at the image provider has no credit (402).',
      { provider: { ended: 1, failed: 1, refusal: 402 } },
    ],
    [
      'Image provider',
      'bad',
      'The image provider refuses our token (401).',
      { provider: { ended: 0, failed: 0, refusal: 401 } },
    ],
    [
      'Image provider',
      'well',
      'No image has ended within the last hour.',
      { provider: { ended: 0, failed: 0, refusal: null } },
    ],
    [
      'Payments',
      'watch',
      '2 events of the payment processor wait, the oldest for 5 minutes.',
      { payments: { waiting: 2, oldestWaiting: since(5 * MINUTE), problems: 1 } },
    ],
    [
      'Payments',
      'bad',
      '1 event of the payment processor waits, the oldest for 1 hour.',
      { payments: { waiting: 1, oldestWaiting: since(60 * MINUTE), problems: 0 } },
    ],
    ['Payments', 'watch', '1 payment needs a person.', { payments: { ...WELL.payments, problems: 1 } }],
    [
      'Closed accounts',
      'watch',
      '1 closing is unfinished, the oldest for 24 hours.',
      { closings: { open: 1, oldest: since(24 * HOUR) } },
    ],
    ['Files', 'watch', '3 files should have been deleted an hour ago.', { files: { ...WELL.files, overdue: 3 } }],
    ['Files', 'watch', 'Only 4.0 GB (40 %) are free.', { files: { overdue: 0, free: { bytes: 4e9, share: 0.4 } } }],
    ['Files', 'bad', 'Only 8.0 GB (1 %) are free.', { files: { overdue: 9, free: { bytes: 8e9, share: 0.01 } } }],
    ['Files', 'well', 'All deletions are done.', { files: { overdue: 0, free: null } }],
  ])('judges %s as %s: %s', (name, state, sentence, facts) => {
    const line = lineOf(name, facts);
    expect(line).toMatchObject({ state, what: sentence });
    expect(line.todo === null).toBe(state === 'well');
  });
});
