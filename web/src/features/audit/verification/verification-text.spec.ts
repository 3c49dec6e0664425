import { describe, expect, it } from '@jest/globals';
import { CONTINUOUS, endedRun, runResult } from '../../../../test/verification.js';
import { askedBy, type EndedRun, mendedBy, progressText, tookText, verdictOf } from './verification-text.js';

const run = (fields: Parameters<typeof endedRun>[0] = {}): EndedRun => endedRun(fields) as EndedRun;

describe('verdictOf', () => {
  it('names the seal that the newest run compared with, and what came after it', () => {
    const { title, good, badge, text } = verdictOf(CONTINUOUS, run());
    expect([title, good, badge]).toEqual(['No problems', true, 'Verified against seal 295']);
    expect(text).toContain(
      'Everything stored before 22 Nov 2026, 00:00:07 UTC is as it was sealed. What came after it, 209 events, is whole',
    );
    expect(text).toContain(
      'The continuous verification has checked everything stored before 22 Nov 2026, 09:15:02 UTC',
    );
  });

  it('shows the problems of the run, and does not say that the sealed part is sound', () => {
    const { title, good, badge, text } = verdictOf(CONTINUOUS, run({ problems: 1 }));
    expect([title, good, badge]).toEqual(['1 problem', false, 'Verified against seal 295']);
    expect(text).not.toContain('as it was sealed');
  });

  it('shows the problems that only the continuous verification knows', () => {
    const { title, good, badge } = verdictOf({ ...CONTINUOUS, problems: 2 }, run());
    expect([title, good, badge]).toEqual(['2 problems', false, 'Needs a person']);
  });

  it('says when no seal was compared', () => {
    const { badge, text } = verdictOf(CONTINUOUS, run({ result: runResult({ seal: null }) }));
    expect(badge).toBe('Verified 125,214 events');
    expect(text).toContain('No seal was compared.');
  });

  it('shows the continuous verification before the first run, and nothing before that', () => {
    expect(verdictOf(CONTINUOUS, undefined)).toMatchObject({ title: 'No problems', badge: 'Verified continuously' });
    const unknown = { ...CONTINUOUS, verified_until: null, events: 0 };
    expect(verdictOf(unknown, undefined)).toMatchObject({ title: 'Not verified yet', badge: null });
    expect(verdictOf({ ...unknown, problems: 1 }, undefined)).toMatchObject({ title: '1 problem', good: false });
  });
});

describe('mendedBy', () => {
  it('returns the first later run without a problem', () => {
    const broken = run({ id: 5, problems: 1 });
    const runs = [run({ id: 9 }), run({ id: 8, problems: 2 }), run({ id: 7 }), run({ id: 6, problems: 1 }), broken];
    expect(mendedBy(broken, runs)?.id).toBe(7);
  });

  it('returns nothing while all later runs have problems or failed', () => {
    const broken = run({ id: 5, problems: 1 });
    const failed = endedRun({ id: 7, result: null, failure: 'It failed.' });
    expect(mendedBy(broken, [failed, run({ id: 6, problems: 1 }), broken, run({ id: 4 })])).toBeUndefined();
    expect(mendedBy(run({ id: 5 }), [run({ id: 6 })])).toBeUndefined();
  });
});

describe('tookText', () => {
  it.each([
    [800, '0.8 s'],
    [9_960, '10 s'],
    [42_000, '42 s'],
    [96_000, '1 min 36 s'],
    [7_500_000, '2 h 5 min'],
  ])('formats %i ms as %s', (ms, text) => {
    expect(tookText('2026-11-22T09:15:02.000Z', new Date(Date.parse('2026-11-22T09:15:02Z') + ms).toISOString())).toBe(
      text,
    );
  });
});

describe('progressText', () => {
  const open = { ended_at: null, result: null } as const;

  it('states the events so far, with those of the run before', () => {
    expect(progressText(endedRun({ ...open, events: 45_000 }), run())).toBe('45,000 of about 108,300 events');
    expect(progressText(endedRun({ ...open, events: 120_000 }), run())).toBe('120,000 events');
    expect(progressText(endedRun({ ...open, events: 1 }), undefined)).toBe('1 event');
    expect(progressText(endedRun({ ...open, started_at: null }), run())).toBe('Waiting');
  });
});

describe('askedBy', () => {
  it('calls the viewer "you", others by their name, and one without a name by the id', () => {
    expect([askedBy(endedRun(), 'user_1'), askedBy(endedRun(), 'user_2')]).toEqual(['you', 'Anders Wik']);
    expect(askedBy(endedRun({ requested_by_name: null }), 'user_2')).toBe('user_1');
  });
});
