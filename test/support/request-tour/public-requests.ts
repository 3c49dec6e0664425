import { type People, type RequestTour, type ToursCreator } from './request-tour.js';

/** Sends the calls of everyone, and those that read tables and the frame of each person. */
export async function publicRequests(
  { ask, rpc }: RequestTour,
  { fan, newcomer, admin }: People,
  { creatorId, username }: ToursCreator,
  p_generation_id: string,
): Promise<void> {
  await rpc('get_public_creators', null);
  await rpc('get_public_creator_by_username', null, { p_username: username });
  await rpc('get_gallery_generations_public', null, { p_creator_id: creatorId });
  for (const p_text of ['fox', 'xylophone', 'zq', '狐狸']) {
    await rpc('search_pictures_public', null, { p_text }, { variant: p_text });
  }
  await rpc('get_creator_info_for_sharing', null, { p_creator_id: creatorId });
  await rpc('get_credit_bundles', null);
  await rpc('is_rate_limited', null, { p_operation: 'data_fetch' });
  await rpc('check_admin_by_jwt', admin);
  await rpc('get_own_roles_by_jwt', admin);
  for (const user of [fan, admin]) await rpc('get_frame', user);
  for (const p_area of ['admin', 'finance', 'audit']) await rpc('get_frame', admin, { p_area }, { variant: p_area });
  await rpc('get_generation_status_public', null, { p_prediction_id: 'filled-1-1' });
  for (const user of [null, fan, newcomer, admin]) await rpc('get_generation_by_id', user, { p_generation_id });
  const tables = '/rest/v1/generations?order=created_at.desc';
  for (const path of [
    tables,
    `${tables}&creator_id=eq.${creatorId}`,
    `/rest/v1/generations?id=eq.${p_generation_id}`,
  ]) {
    for (const user of [null, fan, admin]) await ask('GET /rest/v1/generations', user, { path, variant: path });
  }
  const filled = `${tables}&creator_id=eq.3a1e2a3a-0000-4000-8000-000000000000`;
  for (const filter of ['&status=eq.failed', '&prediction_id=eq.filled-1-1', '&status=eq.pending']) {
    await ask('GET /rest/v1/generations', admin, { path: tables + filter, variant: filter });
    await ask('GET /rest/v1/generations', fan, { path: filled + filter, variant: filter });
  }
  for (const filter of ['', '&username=eq.cost', `&id=eq.${creatorId}`, '&clerk_id=eq.user_filled1']) {
    const path = `/rest/v1/creators?order=created_at.asc${filter}`;
    for (const user of [null, fan, admin]) await ask('GET /rest/v1/creators', user, { path, variant: filter });
  }
  await ask('ALL /rest/v1/:table', fan, { path: '/rest/v1/generations_of_none', body: {}, status: 403 });
  for (const route of ['GET /healthz', 'GET /sitemap.xml', 'GET /robots.txt', 'GET /docs/api', 'GET /']) {
    await ask(route, null);
  }
  await ask('GET /ledger/public-key.pem', null);
  await ask('GET /ledger/key-rotations.ndjson', null);
  await ask('GET /ledger/checkpoint', null);
  await ask('GET /ledger/key', null);
  for (const [route, path, status] of [
    ['/:level/:a', '/1/000', 404],
    ['/:level/:a/:b', '/1/000.p/9', 200],
    ['/:level/:a/:b', '/0/000.p/9', 200],
    ['/:level/:a/:b', '/entries/000.p/9', 200],
    ['/:level/:a/:b/:c', '/entries/x001/000.p/1', 404],
    ['/:level/:a/:b/:c/:d', '/0/x001/x000/000.p/1', 404],
  ] as const) {
    await ask(`GET /ledger/tile${route}`, null, { path: `/ledger/tile${path}`, status, variant: path });
  }
  await ask('GET /docs/api/openapi.json', null);
  await ask('GET /media/:folder/:file', null, { path: '/media/aaaaaaaaaaaaaaaa/640.webp', status: 404 });
  for (const path of [`/${username}`, `/${username}/generate/${p_generation_id}`]) await ask('GET /*', null, { path });
}
