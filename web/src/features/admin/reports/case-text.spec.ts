import { describe, expect, it } from '@jest/globals';
import type { ModerationCase, ModerationCaseRow } from '../../../../../src/contract/moderation.js';
import { consequences, paidText, waits, type Choice } from './case-text.js';
import { moderationCase, moderationRow } from '../../../../test/moderation.js';

const CHOICE: Choice = { decision: 'take_down', strike: true, blockPrompt: false, suspendDays: null, goodwill: 0 };

const about = (fields: Partial<ModerationCase> = {}, strikes = 0): ModerationCase => {
  const base = moderationCase(fields);
  return { ...base, maker: { ...base.maker, strikes } };
};

describe('consequences', () => {
  it('names files, reports, note, strike and the ledger of a take-down', () => {
    expect(consequences(about(), CHOICE)).toEqual([
      'The picture is gone at once; its 6 files are deleted after 24 hours.',
      '3 reports are closed.',
      'The owner reads the note.',
      'The maker has 1 of 3 strikes.',
      'The ledger is left alone: what was settled stays settled, nothing was earned by it.',
    ]);
  });

  it('says that the third strike suspends', () => {
    expect(consequences(about({}, 2), CHOICE)).toContain('The maker is suspended for 30 days, because of 3 strikes.');
    expect(consequences(about({}, 2), { ...CHOICE, strike: false }).join()).not.toContain('strike');
    expect(consequences(about({}, 2), { ...CHOICE, decision: 'hide' }).join()).not.toContain('strike');
  });

  it('names everything that is chosen besides', () => {
    const all = consequences(about(), {
      ...CHOICE,
      decision: 'keep',
      blockPrompt: true,
      suspendDays: 7,
      goodwill: 1,
    });
    expect(all).toEqual([
      'The picture stays as it is.',
      '3 reports are closed.',
      'The same prompt is refused for Odile Marsh from now on.',
      'The maker cannot generate for 7 days.',
      'The maker gets 1 bonus credit, with this case as the reason.',
      'The ledger is left alone: what was settled stays settled, nothing was earned by it.',
    ]);
  });

  it('leaves the ledger out where nothing was settled', () => {
    const refusal = about({ kind: 'refusal', paid_with: null });
    expect(consequences(refusal, { ...CHOICE, decision: 'keep' })).toEqual([
      'Nothing was drawn; nothing changes for the fan.',
    ]);
  });
});

describe('waits', () => {
  const NOW = Date.parse('2026-11-22T09:40:00Z');
  const row = (fields: Partial<ModerationCaseRow>): string => waits(moderationRow(fields), NOW);

  it('counts from the first report, and to the deadline of a take-down', () => {
    expect(row({ opened_at: '2026-11-22T07:40:00Z' })).toBe('2 h');
    expect(row({ due_at: '2026-11-23T09:40:00Z' })).toBe('24 h left');
    expect(row({ due_at: '2026-11-22T06:40:00Z', overdue: true })).toBe('3 h overdue');
  });
});

it.each([
  [{ credits: 10, paid_credits: 0, creator_cents: 0, refunded: false }, '10 free credits, earns nothing'],
  [
    { credits: 10, paid_credits: 10, creator_cents: 50, refunded: false },
    '10 credits, all bought; the creator earned $0.50',
  ],
  [
    { credits: 10, paid_credits: 6, creator_cents: 30, refunded: false },
    '10 credits, 6 of them bought; the creator earned $0.30',
  ],
  [{ credits: 10, paid_credits: 10, creator_cents: 0, refunded: true }, '10 credits, refunded'],
])('paidText(%j) is "%s"', (paid, text) => {
  expect(paidText(paid)).toBe(text);
});
