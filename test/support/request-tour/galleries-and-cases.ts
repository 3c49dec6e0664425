import { QueryBus } from '@nestjs/cqrs';
import { type AdminGallery } from '../../../src/contract/admin-gallery.js';
import { ListAdminGenerations } from '../../../src/gallery/reads/admin-generations.js';
import { type ApiUser } from '../api-client.js';
import { FILLED_CREATOR, type RequestTour } from './request-tour.js';

/** Curates the gallery of a creator whose images are completed, and searches the images of a creator with many. */
export async function galleryRequests(
  { app, rpc }: RequestTour,
  admin: ApiUser,
  p_creator_id: string,
  image: () => Promise<string>,
): Promise<void> {
  const { version, items } = await rpc<AdminGallery>('get_gallery_admin', admin, { p_creator_id });
  const listed = items.map(({ id }) => id);
  const save = { p_creator_id, p_gallery_order: [...listed, await image()].reverse() };
  await rpc('save_gallery_admin', admin, { ...save, p_expected_version: version });
  const late = { status: 409, variant: 'too late' };
  await rpc('save_gallery_admin', admin, { ...save, p_gallery_order: listed, p_expected_version: version }, late);
  const added = { p_creator_id, p_generation_id: await image() };
  await rpc('add_to_creator_gallery_admin_by_jwt', admin, added);
  await rpc('remove_from_creator_gallery_admin_by_jwt', admin, added);
  await rpc('update_gallery_order_admin_by_jwt', admin, { ...save, p_gallery_order: save.p_gallery_order.reverse() });
  await rpc('get_gallery_generations_admin_by_jwt', admin, { p_creator_id });
  const [p_generation_id = ''] = listed;
  await rpc('get_generation_admin', admin, { p_generation_id });
  for (const p_search of [null, p_generation_id, 'zebrafish', 'picture', 'pi', 'a fox', 'ÉTÉ d’été']) {
    await rpc('list_creator_generations_admin', admin, { p_creator_id, p_search }, { variant: p_search ?? 'all' });
    // The ids of filled creators are no valid UUIDs for a call. Their plans are tested, too.
    const ofFilled = { creatorId: FILLED_CREATOR, search: p_search, limit: 12, offset: 0 };
    await app.context.get(QueryBus).execute(new ListAdminGenerations(ofFilled));
  }
}

/** Reads and decides cases, and suspends a user. */
export async function caseRequests(
  { rpc, sql }: RequestTour,
  { admin, reporter, creatorId }: { admin: ApiUser; reporter: ApiUser; creatorId: string },
  image: () => Promise<string>,
): Promise<void> {
  const filters = [
    {},
    { p_kind: 'report' },
    { p_kind: 'take_down' },
    { p_reason: 'other' },
    { p_creator_id: creatorId },
    { p_offset: 500 },
  ];
  for (const p_decided of [false, true]) {
    for (const filter of filters) {
      await rpc('list_moderation_cases', admin, { ...filter, p_decided }, { variant: JSON.stringify(filter) });
    }
  }
  const more = { p_note: 'A test', p_block_prompt: true, p_suspend_days: 1, p_strike: true };
  for (const p_decision of ['keep', 'hide', 'take_down']) {
    const p_id = await image();
    await rpc('report_generation', reporter, { p_generation_id: p_id, p_reason: 'other' });
    const reported = { p_kind: 'report', p_id };
    await rpc('get_moderation_case', admin, reported);
    const decision = { ...reported, ...more, p_decision };
    const { act_id: p_act_id } = await rpc<{ act_id: string }>('decide_moderation_case', admin, decision, {
      variant: p_decision,
    });
    await rpc('decide_moderation_case', admin, decision, { status: 409, variant: 'decided' });
    await rpc('get_moderation_case', admin, reported, { variant: 'decided' });
    await rpc('undo_moderation_act', admin, { p_act_id }, { variant: p_decision });
  }
  const [refusal] = await rpc<{ id: string }[]>('list_moderation_cases', admin, { p_kind: 'refusal', p_limit: 1 });
  await rpc('get_moderation_case', admin, { p_kind: 'refusal', p_id: refusal?.id }, { variant: 'refusal' });
  const suspension = { p_user_id: 'user_filled2', p_reason: 'A test' };
  await rpc('suspend_user_admin', admin, suspension);
  await rpc('lift_suspension_admin', admin, suspension);
  // The maker is suspended by the decisions above.
  await rpc('get_own_suspension_by_jwt', reporter);
  await sql(`delete from generation_suspension where reason = 'A test'`);
  await sql(
    `delete from payment_suspended_buyer where user_id in (select id from app_user where email like '%@fans.test')`,
  );
}
