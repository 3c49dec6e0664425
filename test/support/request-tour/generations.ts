import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { addingCreator } from '../adding-creator.js';
import { type ApiUser, signUp } from '../api-client.js';
import { STORED_IMAGE } from '../stored-generation.js';
import { type People, type RequestTour, type ToursCreator, type ToursImages } from './request-tour.js';

/** The life of a generation: started, followed, cancelled, timed out. Returns the id of the first. */
export async function generationRequests(
  tour: RequestTour,
  { fan, newcomer, admin }: People,
  { creatorId, deploymentName }: ToursCreator,
  { drawing, tooOld }: ToursImages,
  p_generation_id: string,
): Promise<string> {
  const { ask, rpc, fn, sql } = tour;
  await rpc('has_active_pending_generation_jwt', fan);
  const forbidden = { p_prompt: 'explicit porn', p_creator_id: creatorId };
  await rpc('start_generation_by_jwt', fan, forbidden, { status: 422, variant: 'refused' });
  const p_request_id = randomUUID();
  const first = await drawing(p_request_id);
  await rpc('start_generation_by_jwt', fan, { p_prediction_id: first.prediction_id }, { variant: 'started before' });
  const repeat = { p_prompt: 'A fox', p_creator_id: creatorId, p_request_id };
  await rpc('start_generation_by_jwt', fan, repeat, { variant: 'sent before' });
  await rpc('get_generation_by_prediction_id_jwt', fan, { p_prediction_id: first.prediction_id });
  await rpc('get_generation_by_prediction_id_jwt', admin, { p_prediction_id: first.prediction_id });
  await rpc('update_generation_status_by_jwt', fan, { p_prediction_id: first.prediction_id });
  await fn('replicate-api', fan, { path: 'status', id: first.prediction_id }, { variant: 'status' });
  await rpc('get_own_generation_images_by_jwt', fan, { p_generation_ids: [first.generation_id] });
  await rpc('get_own_generation_credits_by_jwt', fan, { p_generation_id: first.generation_id }, { status: 404 });
  await rpc('get_own_generation_credits_by_jwt', fan, { p_generation_id }, { variant: 'completed' });
  await rpc('cancel_generation_by_jwt', fan, { p_generation_id: first.generation_id });
  await rpc('process_automatic_refund_by_jwt', fan, { p_generation_id: first.generation_id });
  await fn('replicate-api', fan, { path: 'generate', prompt: 'A fox', deploymentName }, { variant: 'generate' });
  await sql(`update generation set created_at = created_at - interval '1 minute' where status = 'pending'`);
  const [second] = await ask<{ prediction_id: string }[]>('GET /rest/v1/generations', fan, {
    path: '/rest/v1/generations?status=eq.pending',
  });
  await fn('replicate-api', fan, { path: 'cancel', id: second?.prediction_id }, { variant: 'cancel' });
  const third = await drawing();
  await tooOld(third.generation_id);
  await rpc('process_generation_timeout_immediate', fan, { p_prediction_id: third.prediction_id });
  await tooOld((await drawing()).generation_id);
  await rpc('process_timeout_refunds_by_jwt', fan);
  await rpc('start_generation_by_jwt', fan, {
    p_prompt: 'A fox',
    p_creator_id: creatorId,
    p_prediction_id: 'test-cost',
  });
  await sql(`update generation set created_at = created_at - interval '1 minute' where status = 'pending'`);
  await rpc('cancel_generation_securely', fan, { p_prediction_id: 'test-cost' });
  await rpc('get_user_generations_by_jwt_paginated', fan);
  await rpc('get_user_generations_by_jwt_paginated', fan, { p_show: 'finished' });
  await rpc('get_user_generations_by_jwt_paginated', fan, { p_show: 'failed' });
  await follow(tour, fan, p_generation_id);
  await follow(tour, newcomer, p_generation_id);
  return first.generation_id;
}

/** A creator tests a model. Returns the creator's user, and the id of the style. */
export async function testRequests({
  app,
  rpc,
  sql,
  unheard,
}: RequestTour): Promise<{ tester: ApiUser; ownStyle: string }> {
  const commands = app.context.get(CommandBus);
  const tester = await signUp(app.url, 'tester@fans.test', 'correct-horse-9');
  const { creatorId: ownStyle } = await unheard(() =>
    commands.execute(addingCreator('tester', { clerkId: tester.userId, name: 'Tester', email: 'tester@fans.test' })),
  );
  await rpc('start_test_generation_by_jwt', tester, { p_prompt: 'explicit porn' }, { status: 422, variant: 'refused' });
  const test = await rpc<{ generation_id: string }>('start_test_generation_by_jwt', tester, { p_prompt: 'A fox' });
  const pendingToo = { status: 409, variant: 'pending' };
  await rpc('start_test_generation_by_jwt', tester, { p_prompt: 'A fox' }, pendingToo);
  await sql(`update generation set created_at = created_at - interval '1 minute' where status = 'pending'`);
  await rpc('cancel_generation_by_jwt', tester, { p_generation_id: test.generation_id }, { variant: 'test' });
  await sql(
    `update generation set status = 'completed', image = $2, completed_at = now(), error_message = null, refund_reason = null
     where id = $1`,
    [test.generation_id, JSON.stringify(STORED_IMAGE)],
  );
  await rpc('rate_test_generation_by_jwt', tester, { p_generation_id: test.generation_id, p_rating: 'good' });
  await rpc('get_own_test_generations_by_jwt', tester);
  await rpc('get_test_allowance_by_jwt', tester);
  return { tester, ownStyle };
}

/** Reads the event stream of a generation up to the first event. The stream of a finished generation ends there. */
async function follow({ ask }: RequestTour, user: ApiUser, id: string): Promise<void> {
  await ask('GET /events/generations/:id', user, { path: `/events/generations/${id}` });
}
