import { type ApiUser, signUp } from '../api-client.js';
import { type RequestTour } from './request-tour.js';

/** Applies as a creator, twice, and is reviewed. */
export async function applicationRequests(
  tour: RequestTour,
  fan: ApiUser,
  admin: ApiUser,
  creatorId: string,
): Promise<void> {
  const { app, ask, rpc, fn, asTheOwner } = tour;
  for (const name of ['generation_request', 'info_for_generation']) {
    const call =
      name === 'generation_request' ? 'get_creator_for_generation_request_by_jwt' : `get_creator_${name}_by_jwt`;
    await rpc(call, fan, { p_creator_id: creatorId });
  }
  await rpc('get_terms_acceptance_status_by_jwt', fan, { p_terms_version: 'v1.0' });
  const email = 'applicant@fans.test';
  const applicant = await signUp(app.url, email, 'correct-horse-9');
  const form = { p_email: email, p_name: 'Applicant', p_instagram: '@applicant', p_terms_agreed: true };
  const { creator_id: p_creator_id } = await rpc<{ creator_id: string }>('create_creator_by_jwt', applicant, form);
  await rpc('create_creator_by_jwt', applicant, form, { status: 409, variant: 'open application' });
  await rpc('reject_creator_admin_by_jwt', admin, { p_creator_id, p_reason: 'A test' });
  await asTheOwner(`update creator_decision set decided_at = now() - interval '91 days' where creator_id = $1`, [
    p_creator_id,
  ]);
  await rpc('get_creator_by_jwt', applicant);
  await rpc('create_creator_by_jwt', applicant, form, { variant: 'again' });
  const log = { user_id: applicant.userId, email, accepted_at: new Date().toISOString(), terms_version: 'v1.0' };
  const page = { terms_url: '/creator-terms', method_of_acceptance: 'x', accepted_text_snapshot: 'x' };
  await fn('log-terms-acceptance', applicant, { ...log, ...page });
  await asTheOwner(`delete from creator_consent where clerk_id = $1`, [applicant.userId]);
  await fn('log-terms-acceptance', applicant, { ...log, ...page }, { variant: 'without an acceptance' });
  const asked = await rpc<{ id: string }>('ask_applicant_admin', admin, { p_creator_id, p_question: 'Since when?' });
  await rpc('get_own_questions_by_jwt', applicant);
  await rpc('answer_own_question_by_jwt', applicant, { p_question_id: asked.id, p_answer: 'Since 2019' });
  for (const p_state of ['pending', 'waiting_for_model', 'approved', 'rejected']) {
    await rpc('list_applications_admin', admin, { p_state });
    for (const p_search of ['fi', 'filled', 'filled1234']) {
      await rpc('list_applications_admin', admin, { p_state, p_search }, { variant: p_search });
    }
  }
  const verified = { p_identity_verified: 'x', p_age_verified: 'x', p_instagram_verified: 'x' };
  await rpc('approve_creator_admin_by_jwt', admin, { p_creator_id, ...verified });
  const model = { p_deployment_name: 'fanvas/applicant' };
  await rpc('check_model_admin', admin, model);
  const drawing = { p_creator_id, ...model, p_prompt: 'A fox' };
  const { id: p_trial_id } = await rpc<{ id: string }>('draw_model_trial_admin', admin, drawing);
  await asTheOwner(
    `update generation set status = 'completed', credits_closed_at = now(), completed_at = now(),
       image = '{"url": "/media/trial/1.webp", "sources": []}' where id = $1`,
    [p_trial_id],
  );
  await rpc('get_model_trial_admin', admin, { p_trial_id });
  await rpc('assign_creator_model_admin_by_jwt', admin, { p_creator_id, ...model, p_trial_id });
  await rpc('get_application_admin', admin, { p_creator_id });
  for (const p_is_visible of [false, true, true]) {
    await rpc('toggle_creator_visibility', admin, { p_creator_id, p_is_visible });
  }
  for (const p_is_featured of [false, true])
    await rpc('toggle_creator_featured', admin, { p_creator_id, p_is_featured });
  await rpc('get_all_creators_admin_by_jwt', admin);
  await rpc('list_admin_acts', admin, { p_search: 'A test' }, { variant: 'search' });
  await rpc('list_admin_acts', admin, { p_about: admin.userId, p_kind: 'creator.' });
  await rpc('list_admin_actors', admin);
  await ask('GET /exports/admin-acts.csv', admin);
  await rpc('get_all_creators_including_archived_admin_by_jwt', admin);
  for (const name of ['get_admin_overview', 'get_admin_counts', 'get_admin_health']) await rpc(name, admin);
  await rpc('view_creator_admin', admin, { p_creator_id });
  for (const more of [
    {},
    { p_search: 'filled 77' },
    { p_search: 'fi' },
    { p_username: 'applicant' },
    { p_after: p_creator_id },
  ]) {
    await rpc('list_creators_admin', admin, { p_state: 'active', ...more }, { variant: JSON.stringify(more) });
  }
  for (const p_sort of ['all_time_revenue', 'month_revenue', 'paid_generations', 'total_generations', 'name', 'newest'])
    await rpc('list_revenue_creators_admin', admin, { p_sort }, { variant: p_sort });
  await rpc('get_platform_revenue_admin', admin);
}
