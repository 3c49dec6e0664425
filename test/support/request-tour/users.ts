import { randomUUID } from 'node:crypto';
import { type ApiUser } from '../api-client.js';
import { type RequestTour } from './request-tour.js';

/** Reads users as admins do. */
export async function userRequests(
  { rpc }: RequestTour,
  admin: ApiUser,
  fan: ApiUser,
  generationId: string,
): Promise<void> {
  const searches = {
    all: '',
    'rare text': 'fan@fanvas',

    'two letters': 'fa',
    nothing: 'zzzz',
  };
  for (const [variant, p_search] of Object.entries(searches)) {
    await rpc('search_users_admin', admin, { p_search }, { variant });
  }
  for (const p_search of [fan.userId, generationId])
    await rpc('search_users_admin', admin, { p_search }, { variant: 'id' });
  for (const p_filter of [null, 'owes', 'suspended', 'paid']) {
    for (const p_sort of ['joined', 'paid', 'spent']) {
      await rpc('search_users_admin', admin, { p_filter, p_sort }, { variant: `${p_filter} by ${p_sort}` });
    }
  }
  await rpc('search_users_admin', admin, { p_search: 'fan@fanvas', p_sort: 'spent' }, { variant: 'text by spent' });
  const p_user_id = fan.userId;
  await rpc('get_user_admin', admin, { p_user_id });
  await rpc('get_user_purchases_admin', admin, { p_user_id });
  await rpc('get_user_ledger_admin', admin, { p_user_id });
  await rpc('get_user_statement_admin', admin, { p_user_id });
  await rpc('get_user_images_admin', admin, { p_user_id });
  await rpc('get_user_reports_admin', admin, { p_user_id });
  await rpc('get_user_reports_admin', admin, { p_user_id, p_about: true }, { variant: 'about' });
  await rpc('get_ledger_event_admin', admin, { p_user_id, p_version: 1 });
  const p_proposal_id = randomUUID();
  const change = { p_user_id, p_kind: 'grant', p_amount: 5000, p_reason: 'A test' };
  await rpc('propose_credits_admin', admin, { p_proposal_id, ...change });
  await rpc('list_credit_proposals_admin', admin);
  await rpc('list_credit_proposals_admin', admin, { p_decided: true });
  await rpc('decide_credit_proposal_admin', admin, { p_proposal_id, p_approve: false }, { status: 403 });
  await rpc('list_stuck_checkouts_admin', admin);
}
