import { describe, expect, it } from '@jest/globals';
import type { AdminQueue } from '../../../../../src/contract/admin.js';
import { queueText } from './queue-text.js';

const queue = (fields: Partial<AdminQueue>): AdminQueue => ({
  kind: 'applications',
  count: 1,
  oldest_at: '2026-11-19T10:00:00Z',
  overdue: 0,
  names: [],
  ...fields,
});

describe('queueText', () => {
  it('names the first two and counts the others', () => {
    const { title, detail } = queueText(queue({ count: 4, names: ['Nadia Voss', 'Emeka Rowe'] }));
    expect(title).toBe('Nadia Voss, Emeka Rowe and 2 more');
    expect(detail).toBe('Applications: oldest since 19 Nov 2026');
  });

  it.each([
    [queue({ kind: 'without_model', names: ['Tamsin Oke'] }), 'Tamsin Oke has no model'],
    [queue({ kind: 'without_model', count: 2, names: ['Tamsin Oke', 'Kit'] }), 'Tamsin Oke and Kit have no model'],
    [queue({ kind: 'take_downs', names: ['Juno Abara'] }), 'Juno Abara asks for a take-down'],
    [queue({ kind: 'urgent_reports' }), 'A report of sexual content or a minor'],
    [queue({ kind: 'reports', count: 10_000 }), '10,000+ reports'],
    [queue({ kind: 'refused_prompts' }), 'A refused prompt'],
    [queue({ kind: 'refused_prompts', count: 2 }), '2 refused prompts'],
  ])('agrees in number: %#', (each, title) => {
    expect(queueText(each).title).toBe(title);
  });

  it('says how many are overdue', () => {
    expect(queueText(queue({ kind: 'take_downs', count: 3, overdue: 2 })).detail).toBe(
      'Take-downs: 2 overdue, oldest since 19 Nov 2026',
    );
  });
});
