import { type ApiUser } from '../api-client.js';
import { type RequestTour } from './request-tour.js';

/** Uses the controls of a creator, and the admins' calls that follow. */
export async function controlRequests(
  { rpc }: RequestTour,
  admin: ApiUser,
  creator: ApiUser,
  imageOfStyle: () => Promise<string>,
): Promise<void> {
  await rpc('get_own_consent_by_jwt', creator);
  for (const p_paused of [true, false]) await rpc('set_creator_paused_by_jwt', creator, { p_paused });
  await rpc('add_own_blocked_term_by_jwt', creator, { p_term: 'cigarette' });
  const { id } = await rpc<{ id: string }>('add_own_blocked_term_by_jwt', creator, { p_term: 'tattoo' });
  await rpc('get_own_blocked_terms_by_jwt', creator);
  await rpc('remove_own_blocked_term_by_jwt', creator, { p_term_id: id });
  const details = { p_legal_name: 'Tester', p_country: 'DE', p_tax_status: 'business' };
  for (const p_account of ['123456', '1234567']) {
    await rpc('save_own_payout_details_by_jwt', creator, { ...details, p_account }, { variant: p_account });
  }
  await rpc('get_own_payout_details_by_jwt', creator);

  const p_generation_id = await imageOfStyle();
  for (const p_hidden of [true, false])
    await rpc('hide_from_own_gallery_by_jwt', creator, { p_generation_id, p_hidden });
  for (const p_decision of [null, 'keep', 'take_down']) {
    const image = { p_generation_id: await imageOfStyle(), p_reason: 'A test' };
    const request = await rpc<{ request_id: string }>('request_take_down_by_jwt', creator, image);
    const { request_id: p_request_id } = request;
    const asked = { p_kind: 'take_down', p_id: p_request_id };
    await rpc('get_moderation_case', admin, asked, { variant: 'take-down' });
    const decision = { ...asked, p_decision, p_note: 'A test' };
    if (p_decision === null) await rpc('take_back_take_down_by_jwt', creator, { p_request_id });
    else await rpc('decide_moderation_case', admin, decision, { variant: `take-down: ${p_decision}` });
  }
  for (const p_only of [undefined, 'gallery', 'take_downs']) {
    await rpc('get_images_of_own_style_by_jwt', creator, { p_only }, { variant: p_only ?? 'all' });
  }
}
