import type { AdminUser, AdminUserRow, ListedProposal } from '../../src/contract/admin-users.js';

/** A fan with 80 credits. */
export function adminUserRow(fields: Partial<AdminUserRow> = {}): AdminUserRow {
  return {
    user_id: 'user_ines',
    name: 'Ines Falk',
    email: 'ines.falk@example.com',
    joined_at: '2026-11-14T10:00:00.000Z',
    daily_credits: 0,
    bonus_credits: 10,
    paid_credits: 70,
    total_balance: 80,
    debt: 0,
    spent: 120,
    images: 12,
    last_seen_at: '2026-11-22T08:31:00.000Z',
    suspended: false,
    total_count: 1,
    ...fields,
  };
}

/** The same fan, as the page of a user shows them. */
export function adminUser(fields: Partial<AdminUser> = {}): AdminUser {
  const { total_count: _total, ...row } = adminUserRow();
  return {
    ...row,
    own: false,
    roles: [],
    closed: false,
    suspension: null,
    strikes: 0,
    lots: [
      { lot_id: 'lot_1', kind: 'bonus', remaining: 10, unit_price_cents: null, expires_at: null },
      { lot_id: 'cs_1', kind: 'paid', remaining: 70, unit_price_cents: 10, expires_at: null },
    ],
    events: 37,
    proposals: [],
    grant_left_today: 1000,
    ...fields,
  };
}

/** A grant that another admin proposed. */
export function creditProposal(fields: Partial<ListedProposal> = {}): ListedProposal {
  return {
    id: '0192aa00-0000-7000-8000-000000000001',
    user_id: 'user_ines',
    user_name: 'Ines Falk',
    kind: 'grant',
    amount: 5000,
    reason: 'Prize of the November contest',
    proposed_by: 'user_sol',
    proposed_by_name: 'Sol Brandt',
    own: false,
    proposed_at: '2026-11-22T08:06:00.000Z',
    state: 'open',
    decided_by: null,
    decided_at: null,
    total_count: 1,
    ...fields,
  };
}

/** A payment of another amount than the bundle costs. */
export const PAYMENT_PROBLEM = {
  subject: 'pi_1',
  kind: 'wrong_amount',
  what: 'Paid 900 instead of 1000.',
  attempts: 0,
  first_seen_at: '2026-11-20T10:00:00.000Z',
  last_seen_at: '2026-11-21T10:00:00.000Z',
};
