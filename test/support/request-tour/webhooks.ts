import { randomUUID } from 'node:crypto';
import { signedHeaders } from '../../../src/sandbox/webhook.js';
import Stripe from 'stripe';
import { type RequestTour } from './request-tour.js';

/** Sends a webhook of each provider. `generationId` is in progress. */
export async function webhookRequests({ app, ask }: RequestTour, generationId: string): Promise<void> {
  const { clerk, replicate, stripe } = app.providers;
  const webhook = JSON.stringify({
    type: 'user.deleted',
    object: 'event',
    data: { id: 'user_filled1', deleted: true },
  });
  const clerkHeaders = svix('svix', clerk.webhookSecret, webhook);
  await ask('POST /webhooks/clerk', null, { body: webhook, headers: clerkHeaders });
  const prediction = {
    id: `p-${generationId}`,
    status: 'succeeded',
    output: ['https://replicate.delivery/x.png'],
    error: null,
  };
  const news = JSON.stringify({ ...prediction, version: 'v', input: {}, created_at: new Date().toISOString() });
  await ask('POST /webhooks/replicate', null, {
    path: `/webhooks/replicate?generation=${generationId}`,
    body: news,
    headers: svix('webhook', replicate.webhookSecret, news),
  });
  const event = JSON.stringify({
    id: 'evt_cost',
    object: 'event',
    type: 'charge.refunded',
    created: Math.floor(Date.now() / 1000),
    data: { object: { id: 'ch_cost', payment_intent: 'pi_filled_1' } },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: event, secret: stripe.webhookSecret ?? '' });
  await ask('POST /webhooks/stripe', null, {
    body: event,
    headers: { 'stripe-signature': signature, 'Content-Type': 'application/json' },
  });
}

/** Headers of a webhook with a Svix signature, as Clerk and Replicate send it. */
function svix(prefix: 'svix' | 'webhook', secret: string | null, body: string): Record<string, string> {
  const id = `msg_${randomUUID()}`;
  const headers = signedHeaders(prefix, secret ?? '', { id, body }, Date.now());
  return { ...headers, 'Content-Type': 'application/json' };
}
