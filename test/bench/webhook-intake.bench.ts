import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import { CheckoutRows } from '../../src/payments/checkout-rows.js';
import { PaymentInbox } from '../../src/payments/workers/payment-inbox.js';
import { PaymentMetrics } from '../../src/payments/workers/payment-metrics.js';
import { type PaymentWorker } from '../../src/payments/workers/payment-worker.js';
import { StripeWebhookController } from '../../src/payments/http/stripe-webhook.controller.js';
import { createStripe } from '../../src/payments/providers/stripe.js';
import { type PaymentTables } from '../../src/payments/tables.js';
import { SystemClock } from '../../src/platform/clock.js';
import { createDatabase } from '../../src/platform/database/pool.js';
import { FaultPoints } from '../../src/platform/fault-points.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { type ProviderSettings } from '../../src/platform/config/provider-settings.js';
import { bench, insertBaseline, keepInFlight } from './bench.js';

const SECRET = 'whsec_bench';
const IN_FLIGHT = 64;

/** An event as large as those of the processor, with a valid signature. */
function delivery(number: number): { body: string; signature: string } {
  const created = Math.floor(Date.now() / 1000);
  const filler = 'x'.repeat(2_500);
  const object = { id: `cs_bench_${number}`, object: 'checkout.session', payment_intent: `pi_${number}`, filler };
  const body = JSON.stringify({
    id: `evt_bench_${number}`,
    object: 'event',
    type: 'checkout.session.completed',
    created,
    data: { object },
  });
  const hmac = createHmac('sha256', SECRET).update(`${created}.${body}`).digest('hex');
  return { body, signature: `t=${created},v1=${hmac}` };
}

await bench(async ({ pool, quick, compare }) => {
  const db = createDatabase<PaymentTables>(pool);
  const clock = new SystemClock();
  const settings = { stripe: { secretKey: 'sk_test_bench', webhookSecret: SECRET } } as ProviderSettings;
  const inbox = new PaymentInbox(db, new CheckoutRows(db, clock, new FaultPoints()), clock);
  const metrics = new PaymentMetrics(new Metrics(), db, clock);
  // Only the intake is measured, so the worker does nothing.
  const worker = { wake: () => undefined } as unknown as PaymentWorker;
  const controller = new StripeWebhookController(
    settings,
    createStripe(settings.stripe),
    inbox,
    worker,
    metrics,
    clock,
  );
  const insert = await insertBaseline(pool, {
    id: 'evt_1',
    type: 'checkout.session.completed',
    object: 'x'.repeat(60),
  });
  let made = 0;
  let sent = 0;
  /** Events that were created before the measurement. */
  const stock: ReturnType<typeof delivery>[] = [];
  const take = async (): Promise<void> => {
    const { body, signature } = stock.pop() ?? delivery((made += 1));
    sent += 1;
    // The request as the HTTP layer passes it on. The cost of HTTP is not measured.
    const request = { rawBody: Buffer.from(body), headers: { 'stripe-signature': signature } };
    await controller.receive(request as unknown as Parameters<StripeWebhookController['receive']>[0]);
  };
  const each = quick ? 20 : 1000;
  await compare({
    name: 'webhook intake: verified and stored, 64 in flight',
    unit: 'events/s',
    base: 'INSERT, 64 clients',
    target: { atLeast: 0.3 },
    run: async () => {
      while (stock.length < (quick ? 100 : 6_000)) stock.push(delivery((made += 1)));
      return (await keepInFlight(IN_FLIGHT, each, take)).perSecond;
    },
    runBase: async () => (await keepInFlight(IN_FLIGHT, each, insert)).perSecond,
  });
  const { count } = await db
    .selectFrom('payment_event')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count !== sent) throw new Error(`${sent} events were accepted, but ${count} are stored.`);
});
