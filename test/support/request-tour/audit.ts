import { type ApiUser } from '../api-client.js';
import { type People, type RequestTour } from './request-tour.js';

/** Reads accounts, events, seals and proofs. */
export async function auditRequests(tour: RequestTour, { fan, auditor }: People, creator: ApiUser): Promise<void> {
  const { database, ask, rpc, unheard } = tour;
  await rpc('get_account_balance_at', auditor, { p_user_id: fan.userId });
  await rpc('get_account_statement', auditor, { p_user_id: fan.userId });
  await rpc('get_account_event', auditor, { p_user_id: fan.userId, p_version: 0 });
  const ordered = `select version from event where stream = $1 and type = 'CreditsDeducted' order by version limit 1`;
  const [deduction] = (
    await unheard(() => database.pool.query<{ version: number }>(ordered, [`creditAccount-${fan.userId}`]))
  ).rows;
  await rpc(
    'get_account_event',
    auditor,
    { p_user_id: fan.userId, p_version: deduction?.version },
    { variant: 'of an image' },
  );
  await rpc('export_ledger_events', auditor, { p_limit: 100 });
  await rpc('list_ledger_accounts', auditor, { p_limit: 100 });
  await rpc('find_ledger_events', auditor, { p_id: fan.userId });
  await rpc('get_ledger_verification', auditor);
  await rpc('list_ledger_seals', auditor);
  await rpc('request_ledger_verification', auditor);
  await rpc('list_verification_runs', auditor);
  await rpc('list_verification_runs', auditor, { p_after: 1 }, { variant: 'older' });
  await rpc('get_ledger_seal', auditor, { p_number: 1 });
  const filler = `select event_id as id from log_leaf where stream = 'creditAccount-logged1'`;
  const { rows } = await unheard(() => database.pool.query<{ id: string }>(filler));
  await ask('GET /ledger/proof/:eventId', auditor, { path: `/ledger/proof/${rows[0]?.id}` });
  await ask('GET /ledger/statement', fan, { status: 404 });
  await ask('GET /ledger/earnings-statement', creator, { status: 404 });
  await rpc('get_ledger_proof', auditor, { p_user_id: fan.userId }, { status: 404 });
}
