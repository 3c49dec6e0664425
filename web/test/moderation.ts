import type { ModerationCase, ModerationCaseRow } from '../../src/contract/moderation.js';

/** A row of the queue: three reports of one image. */
export function moderationRow(fields: Partial<ModerationCaseRow> = {}): ModerationCaseRow {
  return {
    kind: 'report',
    id: '019b0be4-55c1-7000-8000-000000000001',
    reason: 'real_person',
    reports: 3,
    generation_id: '019b0be4-55c1-7000-8000-000000000001',
    creator_id: 'c1',
    creator_name: 'Odile Marsh',
    image: { url: '/media/g1.webp', width: 1024, height: 1024, thumbhash: '', sources: [] },
    opened_at: '2026-11-22T07:41:00Z',
    due_at: null,
    overdue: false,
    urgent: false,
    decision: null,
    decided_at: null,
    total_count: 1,
    ...fields,
  };
}

/** That case with everything about it. */
export function moderationCase(fields: Partial<ModerationCase> = {}): ModerationCase {
  return {
    ...moderationRow(),
    prompt: 'my teacher Mr. H. in the corner, everybody laughing',
    created_at: '2026-11-22T06:58:00Z',
    delivered_at: '2026-11-22T06:58:20Z',
    paid_with: { credits: 10, paid_credits: 0, creator_cents: 0, refunded: false },
    shown: 'link',
    files: 6,
    maker: {
      user_id: 'user_31mTabcdefghq90',
      images: 2,
      reported_before: 0,
      strikes: 0,
      suspended: false,
      suspended_until: null,
      refusals: 0,
    },
    open_reports: [
      {
        id: 'r1',
        reason: 'real_person',
        note: 'This is a teacher of our school.',
        user_id: 'user_2',
        created_at: '2026-11-22T07:41:00Z',
      },
    ],
    request_reason: null,
    history: [],
    prompt_blocked: false,
    undo: null,
    ...fields,
  };
}
